SELECT `Threads`.* FROM `Threads` WHERE `Threads`.`deleted_at` IS NULL AND `Threads`.`group_id` = 4 ORDER BY `Threads`.`id` ASC LIMIT 1;

SELECT 1 AS one FROM `groups` WHERE `groups`.`slug` = BINARY 'garden' AND `groups`.`id` != 3 LIMIT 1;

SELECT COUNT(*) FROM (SELECT 1 AS one FROM `replies` WHERE `replies`.`thread_id` = 7 LIMIT 100) subquery_for_count;

SELECT `wp_users`.`ID` AS t0_r0, `wp_users`.`user_login` AS t0_r1, `wp_users`.`display_name` AS t0_r2, `group_user`.`group_id` AS t1_r0, `group_user`.`role` AS t1_r1 FROM `wp_users` LEFT OUTER JOIN `group_user` ON `group_user`.`user_id` = `wp_users`.`ID` WHERE `group_user`.`role` = 'moderator' AND `wp_users`.`ID` IN (5, 6, 9);

SELECT DISTINCT `Threads`.`id`, `Threads`.`last_reply_at` AS alias_0 FROM `Threads` LEFT OUTER JOIN `replies` ON `replies`.`thread_id` = `Threads`.`id` AND `replies`.`deleted_at` IS NULL WHERE `replies`.`user_id` = 12 ORDER BY `Threads`.`last_reply_at` DESC LIMIT 25 OFFSET 0;

SELECT COUNT(*) AS `count_all`, `order`.`status` AS `order_status` FROM `order` WHERE `order`.`currency` = 'EUR' GROUP BY `order`.`status`;

SELECT AVG(`replies`.`score`) AS `average_score`, DATE(CONVERT_TZ(`replies`.`created_at`, '+00:00', 'Europe/Vienna')) AS `day` FROM `replies` GROUP BY `day` ORDER BY `day`;

SELECT SUM(`orderItems`.`qty`) FROM `orderItems` INNER JOIN `order` ON `orderItems`.`orderId` = `order`.`id` WHERE `order`.`status` = 'paid';

UPDATE `Threads` SET `Threads`.`views` = COALESCE(`Threads`.`views`, 0) + 1, `Threads`.`last_reply_at` = '2025-01-05 09:00:00' WHERE `Threads`.`id` = 15;

UPDATE `replies` SET `replies`.`deleted_at` = NOW() WHERE `replies`.`id` IN (SELECT `id` FROM (SELECT `replies`.`id` FROM `replies` INNER JOIN `wp_users` ON `wp_users`.`ID` = `replies`.`user_id` WHERE `wp_users`.`user_status` = 9) AS `__active_record_temp`);

DELETE FROM `votes` WHERE `votes`.`reply_id` = 51 ORDER BY `votes`.`created_at` ASC LIMIT 3;

INSERT INTO `media` (`uploader_id`, `path`, `kind`, `bytes`) VALUES (3, 'u/3/a.webp', 'image', 20480), (3, 'u/3/b.webp', 'image', 10240) ON DUPLICATE KEY UPDATE `media`.`bytes`=VALUES(`bytes`), `path`=`media`.`path`;

INSERT INTO `PageStats` (`pageId`,`statDay`,`hour`,`hits`) VALUES (12, '2025-03-01', 9, 1) ON DUPLICATE KEY UPDATE `hits`=`PageStats`.`hits`+VALUES(`hits`);

SELECT `replies`.* FROM `replies` INNER JOIN `Threads` `threads_replies` ON `threads_replies`.`id` = `replies`.`thread_id` INNER JOIN `groups` `groups_threads` ON `groups_threads`.`id` = `threads_replies`.`group_id` WHERE `groups_threads`.`slug` = 'garden' AND (`replies`.`score` > 3 OR `replies`.`edited_at` IS NOT NULL);

SELECT  `wp_posts`.`ID` FROM `wp_posts` WHERE (`wp_posts`.`ID` > 1000) ORDER BY `wp_posts`.`ID` ASC LIMIT 1000 /*application:Forum,controller:posts*/;

SELECT `groups`.*, COUNT(group_user.user_id) AS members_count FROM `groups` LEFT JOIN group_user ON group_user.group_id = `groups`.id GROUP BY `groups`.id ORDER BY members_count DESC;

SELECT `revisions`.`id`, `revisions`.`title` FROM `revisions` WHERE (`revisions`.`post_id`, `revisions`.`rev_no`) IN (SELECT post_id, MAX(rev_no) FROM revisions GROUP BY post_id);

SELECT `wp_users`.* FROM `wp_users` WHERE `wp_users`.`ID` IN (SELECT `replies`.`user_id` FROM `replies` WHERE `replies`.`thread_id` IN (SELECT `Threads`.`id` FROM `Threads` WHERE `Threads`.`starter_id` = 8)) AND `wp_users`.`ID` != 8;

SELECT `media`.* FROM `media` WHERE `media`.`post_id` = 3 AND (NOT (`media`.`kind` = 'file' AND `media`.`width` IS NULL)) ORDER BY `media`.`uploaded_at` IS NULL, uploaded_at DESC;

SELECT `permissions`.`key`, MAX(`permission_grants`.`grant`) AS allowed FROM `permissions` INNER JOIN `permission_grants` ON `permission_grants`.`permission_id` = `permissions`.`id` WHERE ((`permission_grants`.`grantee_type` = 'user' AND `permission_grants`.`grantee_id` = 5) OR (`permission_grants`.`grantee_type` = 'group' AND `permission_grants`.`grantee_id` IN (SELECT `group_user`.`group_id` FROM `group_user` WHERE `group_user`.`user_id` = 5))) GROUP BY `permissions`.`key` HAVING (MAX(`permission_grants`.`grant`) = 1);

SELECT `moderation_log`.* FROM `moderation_log` FORCE INDEX(`target`) WHERE `moderation_log`.`target_type` = 'Reply' AND `moderation_log`.`target_id` = 77 ORDER BY `moderation_log`.`created_at` DESC;

SELECT `order`.* FROM `order` WHERE `order`.`status` = 0 AND (placed_at < '2025-01-01' ) ORDER BY id LIMIT 10 FOR UPDATE SKIP LOCKED;

SELECT `Threads`.`id`, ROW_NUMBER() OVER (PARTITION BY `Threads`.`group_id` ORDER BY `Threads`.`views` DESC) AS position FROM `Threads` WHERE `Threads`.`pinned` = FALSE;

SELECT `wp_comments`.* FROM ((SELECT `wp_comments`.* FROM `wp_comments` WHERE `wp_comments`.`user_id` = 1) UNION (SELECT `wp_comments`.* FROM `wp_comments` WHERE `wp_comments`.`comment_author_email` = 'a@example.org')) `wp_comments` ORDER BY `wp_comments`.`comment_ID`;

WITH `recent` AS (SELECT `Threads`.* FROM `Threads` WHERE `Threads`.`created_at` >= '2025-01-01'), `busy` AS (SELECT `recent`.`id` FROM `recent` WHERE `recent`.`reply_count` > 50) SELECT `recent`.* FROM `recent` INNER JOIN `busy` ON `busy`.`id` = `recent`.`id`;

SELECT MIN(`PageStats`.`statDay`) AS minimum_stat_day, MAX(`PageStats`.`statDay`) AS maximum_stat_day FROM `PageStats` WHERE `PageStats`.`referrer` IS NOT NULL AND `PageStats`.`pageId` BETWEEN 10 AND 20;

DELETE `t1` FROM `wp_usermeta` `t1` INNER JOIN `wp_usermeta` `t2` ON `t1`.`user_id` = `t2`.`user_id` AND `t1`.`meta_key` = `t2`.`meta_key` WHERE `t1`.`umeta_id` < `t2`.`umeta_id`;

UPDATE `groups` SET `updated_at` = CURRENT_TIMESTAMP, `rank` = CASE `id` WHEN 4 THEN 1 WHEN 9 THEN 2 ELSE `rank` END WHERE `groups`.`id` IN (4, 9);

SELECT SQL_CALC_FOUND_ROWS  wp_posts.ID FROM wp_posts  WHERE 1=1  AND wp_posts.post_type = 'post' AND (wp_posts.post_status = 'publish' OR wp_posts.post_status = 'private')  ORDER BY wp_posts.post_date DESC LIMIT 0, 10;

SELECT FOUND_ROWS();

SELECT   wp_posts.* FROM wp_posts  INNER JOIN wp_postmeta ON ( wp_posts.ID = wp_postmeta.post_id )  INNER JOIN wp_postmeta AS mt1 ON ( wp_posts.ID = mt1.post_id ) WHERE 1=1  AND ( 
  ( wp_postmeta.meta_key = '_event_start' AND CAST(wp_postmeta.meta_value AS DATETIME) >= '2025-02-01 00:00:00' ) 
  AND 
  ( mt1.meta_key = '_event_venue' AND mt1.meta_value IN ('12','18') )
) AND wp_posts.post_type = 'event' AND ((wp_posts.post_status = 'publish')) GROUP BY wp_posts.ID ORDER BY CAST(wp_postmeta.meta_value AS DATETIME) ASC LIMIT 0, 6;

SELECT option_name, option_value FROM wp_options WHERE autoload IN ( 'yes', 'on', 'auto-on', 'auto' );

SELECT option_value FROM wp_options WHERE option_name = '_transient_timeout_feed_mod' LIMIT 1;

INSERT INTO `wp_options` (`option_name`, `option_value`, `autoload`) VALUES ('cron', 'a:0:{}', 'on') ON DUPLICATE KEY UPDATE `option_name` = VALUES(`option_name`), `option_value` = VALUES(`option_value`), `autoload` = VALUES(`autoload`);

SELECT post_id, meta_key, meta_value FROM wp_postmeta WHERE post_id IN (11,12,13,25) ORDER BY meta_id ASC;

SELECT  t.term_id, tt.parent, tt.count, tt.taxonomy
			FROM wp_terms AS t  INNER JOIN wp_term_taxonomy AS tt ON t.term_id = tt.term_id
			WHERE tt.taxonomy IN ('category') AND tt.count > 0
			ORDER BY t.name ASC;

SELECT DISTINCT t.*, tt.*, tr.object_id FROM wp_terms AS t INNER JOIN wp_term_taxonomy AS tt ON tt.term_id = t.term_id INNER JOIN wp_term_relationships AS tr ON tr.term_taxonomy_id = tt.term_taxonomy_id WHERE tt.taxonomy IN ('category', 'post_tag', 'post_format') AND tr.object_id IN (7, 9, 15) ORDER BY t.name ASC;

SELECT wp_posts.ID FROM wp_posts LEFT JOIN wp_term_relationships ON (wp_posts.ID = wp_term_relationships.object_id) WHERE 1=1 AND (
  wp_term_relationships.term_taxonomy_id IN (3,5,8)
  AND
  wp_posts.ID NOT IN (
				SELECT object_id
				FROM wp_term_relationships
				WHERE term_taxonomy_id IN (21)
			)
) AND (((wp_posts.post_title LIKE '%garden%') OR (wp_posts.post_excerpt LIKE '%garden%') OR (wp_posts.post_content LIKE '%garden%'))) AND wp_posts.post_type IN ('post', 'page') GROUP BY wp_posts.ID ORDER BY wp_posts.post_title LIKE '%garden%' DESC, wp_posts.post_date DESC LIMIT 10, 10;

SELECT comment_approved, COUNT( * ) AS total FROM wp_comments WHERE comment_post_ID = 88 GROUP BY comment_approved;

SELECT SQL_CALC_FOUND_ROWS wp_comments.comment_ID
FROM wp_comments
WHERE ( ( comment_approved = '0' OR comment_approved = '1' ) ) AND comment_type NOT IN ('note')
ORDER BY wp_comments.comment_date DESC, wp_comments.comment_ID DESC
LIMIT 0,20;

UPDATE `wp_posts` SET `comment_count` = 5 WHERE `ID` = 88;

UPDATE wp_posts SET post_content = REPLACE(post_content, 'http://old.example.org', 'https://www.example.org') WHERE post_content LIKE '%http://old.example.org%';

DELETE FROM wp_options WHERE option_name LIKE '\_transient\_%' AND option_name NOT LIKE '\_transient\_timeout\_%';

DELETE a, b FROM wp_options a, wp_options b
			WHERE a.option_name LIKE '\\_transient\\_%'
			AND a.option_name NOT LIKE '\\_transient\\_timeout\\_%'
			AND b.option_name = CONCAT( '_transient_timeout_', SUBSTRING( a.option_name, 12 ) )
			AND b.option_value < 1735689600;

DELETE pm FROM wp_postmeta pm LEFT JOIN wp_posts wp ON wp.ID = pm.post_id WHERE wp.ID IS NULL;

SELECT YEAR(post_date) AS `year`, MONTH(post_date) AS `month`, count(ID) as posts FROM wp_posts  WHERE post_type = 'post' AND post_status = 'publish' GROUP BY YEAR(post_date), MONTH(post_date) ORDER BY post_date DESC LIMIT 12;

SELECT DISTINCT YEAR( post_date ) AS year, MONTH( post_date ) AS month
		FROM wp_posts
		WHERE post_type = 'attachment'
		ORDER BY post_date DESC;

SELECT wp_users.ID,wp_users.user_login,wp_users.display_name
FROM wp_users INNER JOIN wp_usermeta ON ( wp_users.ID = wp_usermeta.user_id )
WHERE 1=1 AND ( ( ( ( wp_usermeta.meta_key = 'wp_capabilities' AND wp_usermeta.meta_value LIKE '%\"editor\"%' ) OR ( wp_usermeta.meta_key = 'wp_capabilities' AND wp_usermeta.meta_value LIKE '%\"author\"%' ) ) ) )
ORDER BY display_name ASC;

SELECT COUNT(NULLIF(`meta_value` LIKE '%\"administrator\"%', false)), COUNT(NULLIF(`meta_value` LIKE '%\"subscriber\"%', false)), COUNT(NULLIF(`meta_value` = 'a:0:{}', false)), COUNT(*)
			FROM wp_usermeta
			INNER JOIN wp_users ON user_id = ID
			WHERE meta_key = 'wp_capabilities';

SELECT p.ID, MAX(CASE WHEN pm.meta_key = '_sku' THEN pm.meta_value END) AS sku, MAX(CASE WHEN pm.meta_key = '_price' THEN pm.meta_value + 0 END) AS price
FROM wp_posts p LEFT JOIN wp_postmeta pm ON p.ID = pm.post_id
WHERE p.post_type IN ('product','product_variation')
GROUP BY p.ID HAVING price > 100 ORDER BY price DESC;

SELECT p.ID FROM wp_posts AS p WHERE p.post_date < '2025-01-31 10:00:00' AND p.post_type = 'post' AND ( p.post_status = 'publish' OR p.post_status = 'private' ) ORDER BY p.post_date DESC LIMIT 1;

SELECT post_mime_type, COUNT( * ) AS num_posts FROM wp_posts WHERE post_type = 'attachment' AND post_status != 'trash' GROUP BY post_mime_type;

INSERT IGNORE INTO `wp_options` ( `option_name`, `option_value`, `autoload` ) VALUES ('core_updater.lock', UNIX_TIMESTAMP(), 'no') /* LOCK */;

SELECT DISTINCT meta_key FROM wp_postmeta WHERE meta_key NOT BETWEEN '_' AND '_z' HAVING meta_key NOT LIKE '\_%' ORDER BY meta_key LIMIT 30;

SELECT a.ID, a.post_title, b.meta_value AS file FROM wp_posts a INNER JOIN wp_postmeta b ON a.ID = b.post_id AND b.meta_key = '_wp_attached_file' WHERE a.post_type = 'attachment' AND SUBSTRING_INDEX(b.meta_value, '.', -1) IN ('jpg', 'png');

UPDATE wp_term_taxonomy tt SET tt.count = (SELECT COUNT(*) FROM wp_term_relationships tr JOIN wp_posts p ON p.ID = tr.object_id WHERE tr.term_taxonomy_id = tt.term_taxonomy_id AND p.post_status = 'publish');

SELECT wp_posts.ID, wp_posts.post_title FROM wp_posts LEFT JOIN wp_postmeta ON (wp_posts.ID = wp_postmeta.post_id AND wp_postmeta.meta_key = '_hide_from_feed' ) LEFT JOIN wp_postmeta AS mt1 ON ( wp_posts.ID = mt1.post_id ) WHERE 1=1 AND ( wp_postmeta.post_id IS NULL OR ( mt1.meta_key = '_hide_from_feed' AND mt1.meta_value != '1' ) ) AND wp_posts.post_type = 'post' GROUP BY wp_posts.ID;

SELECT MAX(LENGTH(option_value)) AS biggest, SUM(LENGTH(option_value)) / 1024 AS kb FROM wp_options WHERE autoload = 'yes';

SELECT option_name, ROUND(LENGTH(option_value) / 1024, 1) AS kb FROM wp_options WHERE autoload = 'yes' ORDER BY LENGTH(option_value) DESC LIMIT 20;

SELECT post_parent, GROUP_CONCAT(ID ORDER BY post_modified DESC SEPARATOR ',') AS revs, COUNT(*) AS c FROM wp_posts WHERE post_type = 'revision' GROUP BY post_parent HAVING c > 5;

DELETE FROM a USING wp_posts AS a LEFT JOIN wp_posts AS b ON a.post_parent = b.ID WHERE a.post_type = 'revision' AND b.ID IS NULL;

INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT p.ID, '_views', '0' FROM wp_posts p WHERE p.post_type = 'post' AND NOT EXISTS (SELECT 1 FROM wp_postmeta m WHERE m.post_id = p.ID AND m.meta_key = '_views');

INSERT INTO `wp_comments` (`comment_post_ID`, `comment_author`, `comment_author_email`, `comment_author_IP`, `comment_date`, `comment_content`, `comment_karma`, `comment_approved`, `comment_type`, `comment_parent`, `user_id`) VALUES (88, 'Ann O\'Neill', 'ann@example.org', '203.0.113.9', '2025-02-03 11:12:13', 'It\'s \"fine\" now;\n thanks', 0, '1', 'comment', 0, 14);

SELECT MATCH(post_title, post_content) AGAINST ('raised beds') AS relevance, ID, post_title
FROM wp_posts
WHERE MATCH (post_title, post_content) AGAINST ('raised beds') AND post_status = 'publish'
ORDER BY relevance DESC LIMIT 5;

SELECT pm.meta_value AS related, COUNT(pm.meta_id) AS uses, p.post_title FROM wp_postmeta pm JOIN wp_posts p ON p.ID = CAST(pm.meta_value AS UNSIGNED) WHERE pm.meta_key = '_thumbnail_id' GROUP BY related ORDER BY uses DESC;

SELECT u.ID, um.meta_value AS `last login`, FROM_UNIXTIME(um.meta_value) seen FROM wp_users u, wp_usermeta um WHERE um.user_id = u.ID AND um.meta_key = 'last_login' AND um.meta_value < UNIX_TIMESTAMP(DATE_SUB(NOW(), INTERVAL 1 YEAR)) ORDER BY um.meta_value + 0;

UPDATE wp_posts AS p INNER JOIN wp_postmeta AS m ON m.post_id = p.ID SET p.menu_order = m.meta_value, m.meta_value = '' WHERE m.meta_key = '_legacy_order' AND m.meta_value REGEXP '^[0-9]+$';

SELECT t.name, COUNT(p.ID) AS n FROM wp_terms t
 LEFT JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id AND tt.taxonomy = 'post_tag'
 LEFT JOIN wp_term_relationships tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
 LEFT JOIN wp_posts p ON p.ID = tr.object_id AND p.post_status = 'publish' AND p.post_type = 'post'
GROUP BY t.term_id, t.name ORDER BY n DESC, t.name LIMIT 45;

SELECT ID FROM wp_posts WHERE post_type = 'nav_menu_item' AND ID IN (SELECT post_id FROM wp_postmeta WHERE meta_key = '_menu_item_object_id' AND meta_value = '42');

SELECT comment_post_ID, COUNT(comment_ID) as num_comments FROM wp_comments WHERE comment_post_ID IN ( '4','8','15' ) AND comment_approved = '0' GROUP BY comment_post_ID;

REPLACE INTO wp_options (option_name, option_value, autoload) VALUES ('sidebars_widgets', 'a:1:{i:0;s:0:"";}', 'yes');

SELECT p2.ID, p2.post_title FROM wp_term_relationships tr1 JOIN wp_term_relationships tr2 ON tr1.term_taxonomy_id = tr2.term_taxonomy_id AND tr2.object_id <> tr1.object_id JOIN wp_posts p2 ON p2.ID = tr2.object_id WHERE tr1.object_id = 88 AND p2.post_status = 'publish' GROUP BY p2.ID ORDER BY COUNT(*) DESC, p2.post_date DESC LIMIT 4;

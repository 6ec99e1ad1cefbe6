INSERT INTO wp_terms (name, slug) VALUES ('Tomatoes', 'tomatoes'), ('Beans', DEFAULT), (CONCAT('Pe', 'as'), LOWER('PEAS'));

INSERT INTO votes VALUES (1, 2, 1, NOW());

INSERT INTO votes () VALUES ();

INSERT INTO replies SET thread_id = 3, user_id = 9, body = 'Thanks!', score = DEFAULT, ip = INET6_ATON('192.0.2.4');

INSERT LOW_PRIORITY IGNORE INTO wp_usermeta (user_id, meta_key, meta_value) SELECT ID, 'locale', locale FROM wp_users WHERE locale IS NOT NULL;

INSERT INTO PageStats (pageId, statDay, `hour`, hits, uniques)
VALUES (12, CURRENT_DATE, HOUR(NOW()), 1, 1)
ON DUPLICATE KEY UPDATE hits = hits + 1, uniques = GREATEST(uniques, VALUES(uniques)), loadMs = IF(VALUES(loadMs) IS NULL, loadMs, VALUES(loadMs));

INSERT INTO `groups` (id, name, slug, `rank`) VALUES (7, 'Herbs', 'herbs', 20)
ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), name = CONCAT(name, ' / ', VALUES(name)), `rank` = `rank` + VALUES(`rank`);

INSERT INTO group_user (group_id, user_id, role)
SELECT g.id, g.owner_id, 'owner' FROM `groups` g WHERE g.owner_id IS NOT NULL
ON DUPLICATE KEY UPDATE role = 'owner', expires_on = NULL;

INSERT INTO PageStats (pageId, statDay, hits)
SELECT s.`page id`, STR_TO_DATE(CONCAT(s.`month`, '-01'), '%Y-%m-%d'), s.`total hits` FROM `Monthly-Stats` AS s
ON DUPLICATE KEY UPDATE PageStats.hits = PageStats.hits + s.`total hits`;

REPLACE INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (88, 3, 0), (88, 5, 1);

REPLACE LOW_PRIORITY wp_options SET option_name = 'blogname', option_value = 'Garden forum';

REPLACE INTO votes (reply_id, user_id, value) SELECT reply_id, user_id, -value FROM votes v WHERE v.created_at < '2020-01-01';

insert into revisions(post_id, author_id, rev_no, title, body)
select p.ID, p.post_author, ifnull((select max(r.rev_no) from revisions r where r.post_id = p.ID), 0) + 1, left(p.post_title, 255), p.post_content
from wp_posts p
where p.ID = ?;

INSERT INTO orderItems (orderId, lineNo, sku, qty, unitPrice) VALUES (LAST_INSERT_ID(), 1, 'PLUS-1Y', 1, 24.00), (LAST_INSERT_ID(), 2, 'BADGE', 3, (SELECT MIN(x.unitPrice) FROM (SELECT unitPrice FROM orderItems) x));

INSERT HIGH_PRIORITY INTO moderation_log (actor_id, action, target_type, target_id) VALUE (1, 'ban', 'user', 66);

INSERT INTO PageStats PARTITION (pmax) (pageId, statDay, hits) VALUES (3, '2025-04-01', 17);

INSERT INTO wp_users (user_login, user_email, display_name, user_nicename) VALUES ('zoë', 'zoe@example.org', user_login, LOWER(display_name));

INSERT IGNORE group_user SELECT 4, ID, 'member', NOW(), NULL FROM active_members;

UPDATE wp_posts SET post_status = 'draft', post_modified = NOW() WHERE ID = 5 LIMIT 1;

UPDATE Threads t
JOIN (SELECT thread_id, COUNT(*) AS n, MAX(created_at) AS last_at FROM replies WHERE deleted_at IS NULL GROUP BY thread_id) r ON r.thread_id = t.id
SET t.reply_count = r.n, t.last_reply_at = r.last_at
WHERE t.reply_count <> r.n OR t.last_reply_at IS NULL;

UPDATE wp_posts p, wp_users u SET p.post_author = 1, u.user_status = 9 WHERE p.post_author = u.ID AND u.user_login LIKE 'spam%';

UPDATE LOW_PRIORITY IGNORE wp_terms SET slug = REPLACE(LOWER(TRIM(name)), ' ', '-') WHERE slug = '' ORDER BY term_id LIMIT 100;

UPDATE replies LEFT JOIN wp_users ON wp_users.ID = replies.user_id SET replies.user_id = NULL WHERE wp_users.ID IS NULL AND replies.user_id IS NOT NULL;

UPDATE `order` o
  INNER JOIN orderItems i ON i.orderId = o.id
  LEFT JOIN wp_usermeta m ON m.user_id = o.user_id AND m.meta_key = 'vat_free'
SET i.taxRate = IF(m.meta_value = '1', 0, DEFAULT(i.taxRate)),
    o.notes = CONCAT_WS('\n', o.notes, 'tax recalculated')
WHERE o.status IN ('cart', 'placed');

UPDATE replies r SET score = (SELECT COALESCE(SUM(v.value), 0) FROM votes v WHERE v.reply_id = r.id), r.edited_at = r.edited_at;

UPDATE media SET flags = CONCAT_WS(',', flags, 'licensed'), kind = CASE WHEN path REGEXP '\\.(mp4|webm)$' THEN 'video' WHEN path LIKE '%.mp3' THEN 'audio' ELSE kind END;

UPDATE Threads, `groups` SET Threads.is_locked = 1, `groups`.visibility = 'hidden' WHERE Threads.group_id = `groups`.id AND `groups`.slug = 'archive';

UPDATE group_user SET expires_on = DATE_ADD(IFNULL(expires_on, CURDATE()), INTERVAL 1 YEAR) WHERE (group_id, user_id) IN ((1, 2), (1, 3)) ;

UPDATE `groups` AS g JOIN `groups` AS mother ON mother.id = g.parent_id SET g.visibility = mother.visibility WHERE g.visibility < mother.visibility;

UPDATE wp_posts SET menu_order = (@pos := @pos + 1) WHERE post_type = 'page' AND post_parent = 4 ORDER BY post_title;

UPDATE active_members SET display_name = user_login WHERE display_name = '';

UPDATE PageStats PARTITION (p2023) SET referrer = NULL WHERE referrer = '';

UPDATE Threads SET title = TRIM(title), views = views + 0, deleted_at = IF(views = 0 AND created_at < NOW() - INTERVAL 5 YEAR, NOW(), deleted_at);

UPDATE wp_posts JOIN (SELECT ID FROM wp_posts WHERE post_status = 'auto-draft' ORDER BY post_date LIMIT 500) AS old USING (ID) SET wp_posts.post_status = 'trash';

UPDATE votes NATURAL JOIN group_user SET votes.value = 0 WHERE role = 'owner';

DELETE FROM votes WHERE value = 0;

DELETE LOW_PRIORITY QUICK IGNORE FROM wp_comments WHERE comment_approved = 'spam' AND comment_date < NOW() - INTERVAL 15 DAY ORDER BY comment_date LIMIT 1000;

DELETE t, r FROM Threads t LEFT JOIN replies r ON r.thread_id = t.id WHERE t.deleted_at < NOW() - INTERVAL 90 DAY;

DELETE FROM gu USING group_user AS gu INNER JOIN `groups` AS g ON g.id = gu.group_id WHERE g.slug LIKE 'tmp-%';

DELETE wp_term_relationships.* FROM wp_term_relationships LEFT JOIN wp_posts ON wp_posts.ID = wp_term_relationships.object_id WHERE wp_posts.ID IS NULL;

DELETE FROM revisions WHERE is_minor AND rev_no < (SELECT MAX(keepers.rev_no) FROM (SELECT rev_no FROM revisions) keepers) - 10;

DELETE o FROM `order` AS o WHERE o.status = 'cart' AND NOT EXISTS (SELECT 1 FROM orderItems WHERE orderId = o.id);

DELETE FROM PageStats PARTITION (p2023) WHERE hits < 2;

DELETE FROM wp_usermeta, wp_users USING wp_usermeta INNER JOIN wp_users WHERE wp_usermeta.user_id = wp_users.ID AND wp_users.user_status = 9;

DELETE FROM permission_grants WHERE grantee_type = 'group' AND grantee_id NOT IN (SELECT id FROM `groups`);

DELETE newer FROM wp_terms newer, wp_terms older WHERE newer.slug = older.slug AND newer.term_id > older.term_id;

DELETE FROM media WHERE id IN (SELECT * FROM (SELECT m.id FROM media m LEFT JOIN wp_posts p ON p.ID = m.post_id WHERE p.ID IS NULL AND m.uploaded_at < '2020-01-01') AS orphan);

delete v from votes v join replies r on r.id = v.reply_id where v.user_id = r.user_id;

DELETE a.*, b.* FROM wp_terms a JOIN wp_term_taxonomy b USING (term_id) WHERE b.count = 0 AND b.taxonomy = 'post_tag';

SELECT id, status FROM `order` WHERE status = 'placed' ORDER BY placed_at LIMIT 1 FOR UPDATE NOWAIT;

SELECT value FROM votes WHERE reply_id = 3 LOCK IN SHARE MODE;

INSERT INTO moderation_log (actor_id, action, target_type, target_id, detail)
SELECT 1, 'merge', 'thread', t.id, NULL FROM Threads AS t, (SELECT MIN(id) AS keep_id, title FROM Threads GROUP BY title HAVING COUNT(*) > 1) AS k
WHERE k.title = t.title AND t.id <> k.keep_id;

UPDATE wp_options SET option_value = option_value + 1 WHERE option_name = 'db_counter' AND (@old := option_value) IS NOT NULL;

INSERT INTO wp_comments (comment_post_ID, comment_author, comment_content, user_id)
SELECT p.ID, u.display_name, CONCAT('Imported: ', r.body), u.ID
FROM replies r
STRAIGHT_JOIN wp_users u ON u.ID = r.user_id
JOIN wp_posts p ON p.post_title = (SELECT title FROM Threads WHERE id = r.thread_id)
ORDER BY r.created_at
LIMIT 500;

DELETE gu FROM group_user gu JOIN (SELECT user_id FROM group_user GROUP BY user_id HAVING COUNT(*) > 50) hoarder ON hoarder.user_id = gu.user_id WHERE gu.role = 'member';

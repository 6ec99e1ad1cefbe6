SELECT s.start, s.end, DATEDIFF(s.end, s.start) AS days
FROM (SELECT MIN(statDay) AS start, MAX(statDay) AS end FROM PageStats WHERE pageId = ?) AS s;

SELECT LEFT(p.post_content, 200) AS teaser, p.post_content AS full, full.name AS author
FROM wp_posts p JOIN (SELECT ID, display_name AS name FROM wp_users) AS full ON full.ID = p.post_author;

SELECT o.n AS offset, o.n + 20 AS next FROM (SELECT 20 AS n UNION SELECT 40) o ORDER BY offset;

INSERT INTO replies (thread_id, body, score, created_at) VALUES (4, 'first', DEFAULT(score) + 1, DEFAULT(created_at)), (4, CONCAT('copy of ', thread_id), score, created_at);

INSERT INTO orderItems (orderId, lineNo, sku, qty, unitPrice) VALUES (12, 1, 'PLUS', 3, qty * 8.5) ON DUPLICATE KEY UPDATE qty = qty + 1, unitPrice = VALUES(qty) * VALUES(unitPrice);

INSERT INTO wp_options (option_name, option_value)
SELECT 'last_digest', NOW() FROM dual
WHERE NOT EXISTS (SELECT 1 FROM wp_options WHERE option_name = 'last_digest' AND option_value > NOW() - INTERVAL 1 DAY);

SELECT (SELECT COUNT(*) FROM Threads WHERE is_locked = 1) AS locked, (SELECT MAX(uploaded_at) FROM media WHERE kind <> 'file') AS newest_media FROM DUAL WHERE @@read_only = 0;

SELECT t.title, g.name, r.id
FROM Threads t, `groups` g, replies r
WHERE t.group_id = g.id AND r.thread_id = t.id
HAVING id > 1000
ORDER BY r.id;

SELECT COUNT(*) AS posts, p.post_author AS author, (SELECT u.user_login FROM wp_users u WHERE u.ID = author) AS login
FROM wp_posts p
GROUP BY author
HAVING posts > 1 AND login LIKE 'a%';

SELECT r.thread_id AS tid, MAX(r.created_at) AS newest, (SELECT t.title FROM Threads t WHERE t.id = tid AND t.deleted_at IS NULL) AS title, (SELECT COUNT(*) FROM votes v JOIN replies x ON x.id = v.reply_id WHERE x.thread_id = tid) AS votes
FROM replies r
GROUP BY tid
ORDER BY newest DESC
LIMIT 20;

SELECT name, HEX(name) FROM wp_terms WHERE name LIKE CONCAT('%', _latin1 0xE4, '%') OR name = _utf8mb4 0xC3A4 OR name = _binary b'1100001';

SELECT id, subject.title, type.kind FROM Threads subject, (SELECT 'thread' AS kind) type WHERE subject.is_locked = 0 AND type.kind <> '';

SELECT id, path FROM media WHERE kind = 'video' ORDER BY bytes DESC LIMIT 100 INTO OUTFILE '/tmp/videos.tsv' CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\t' ESCAPED BY '';

SELECT user_email, display_name INTO OUTFILE '/tmp/digest.csv' FIELDS TERMINATED BY ';' ENCLOSED BY '"' LINES STARTING BY '' TERMINATED BY '\r\n' FROM active_members WHERE user_email LIKE '%@%' ORDER BY user_email;

SELECT u.display_name, u.user_login FROM wp_users u WHERE u.display_name SOUNDS LIKE ? OR SOUNDEX(u.user_login) = SOUNDEX(?) OR NOT (u.user_nicename SOUNDS LIKE u.user_login);

SELECT ID, MATCH post_title, post_content AGAINST ('+mulch -bark' IN BOOLEAN MODE) AS hit FROM wp_posts WHERE MATCH post_title, post_content AGAINST ('+mulch -bark' IN BOOLEAN MODE) AND post_status = 'publish';

UPDATE replies SET deleted_at = created_at + INTERVAL (SELECT CAST(option_value AS SIGNED) FROM wp_options WHERE option_name = 'keep_days') DAY WHERE score < (SELECT -1 * CAST(option_value AS SIGNED) FROM wp_options WHERE option_name = 'hide_below');

SELECT id, created_at + INTERVAL (SELECT COUNT(*) FROM votes WHERE reply_id = replies.id) HOUR AS boosted FROM replies ORDER BY boosted DESC LIMIT 10;

SELECT DATE_SUB(MAX(statDay), INTERVAL (SELECT COUNT(DISTINCT `hour`) FROM PageStats) DAY) AS since FROM PageStats;

REPLACE INTO group_user (group_user.group_id, group_user.user_id, group_user.role) VALUES (1, 2, 'owner'), (1, 3, DEFAULT(role));

SELECT grp.$n, grp.`role`, grp.größe FROM (SELECT role, COUNT(*) AS $n, MAX(user_id) AS größe FROM group_user GROUP BY role) AS grp WHERE grp.größe > 3;

INSERT INTO `PageStats` (`PageStats`.`pageId`, `PageStats`.`statDay`, `PageStats`.`hits`) SELECT `m`.`page id`, CURDATE(), `m`.`total hits` FROM `Monthly-Stats` `m` WHERE `m`.`total hits` > 0;

SELECT a.name AS n, b.name AS m FROM `groups` a JOIN `groups` b ON b.parent_id = a.id GROUP BY a.id, b.id HAVING m <> n AND COUNT(*) = 1;

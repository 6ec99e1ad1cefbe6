SELECT p.key, p.default, pg.grant FROM permissions p JOIN permission_grants pg ON pg.permission_id = p.id WHERE p.default = 1 ORDER BY p.key;

SELECT g.rank, g . name, `g`.`slug`, `g` . visibility FROM `groups` g WHERE g.rank BETWEEN 1 AND 50;

SELECT a.id FROM Threads a JOIN replies b JOIN votes c ON c.reply_id = b.id ON b.thread_id = a.id;

SELECT g.id, t.id, r.id FROM `groups` g LEFT JOIN Threads t LEFT JOIN replies r ON r.thread_id = t.id ON t.group_id = g.id WHERE r.id IS NULL;

SELECT t.id FROM (Threads AS t);

SELECT u.user_login, x.title FROM ((wp_users u INNER JOIN Threads x ON x.starter_id = u.ID) INNER JOIN `groups` y ON y.id = x.group_id) WHERE y.owner_id <> u.ID;

SELECT object_id, tt.taxonomy FROM wp_term_relationships NATURAL RIGHT JOIN wp_term_taxonomy tt WHERE term_taxonomy_id > 4 ORDER BY term_taxonomy_id;

SELECT user_id, a.value, b.role FROM votes a RIGHT JOIN group_user b USING (user_id) ORDER BY a.user_id, b.user_id;

SELECT id 'Reply ID', body "Reply text", score AS 'Sum of votes' FROM replies ORDER BY `Reply ID`;

SELECT created_at date, YEAR(created_at) year, id end, title text, views value, pinned type, starter_id user, group_id `group` FROM Threads ORDER BY year, date, value;

SELECT id AS status, status AS id FROM `order` ORDER BY status, id;

SELECT id $id, total AS $total$, user_id _u, currency AS curr€ FROM `order` WHERE total > 5 ORDER BY $total$;

INSERT INTO votes (votes.reply_id, votes.user_id, votes.value) VALUES (3, 4, 1) ON DUPLICATE KEY UPDATE votes.value = VALUES(votes.value);

INSERT INTO replies SET replies.thread_id = 1, replies.body = 'x', replies.score = score + 1;

INSERT INTO group_user (group_id, user_id) (SELECT id, owner_id FROM `groups` WHERE owner_id > 0) ON DUPLICATE KEY UPDATE joined_at = NOW(3);

REPLACE wp_terms VALUES (1, 'General', 'general', 0), (2, 'News', 'news', DEFAULT);

INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT 4, '_copy', meta_value FROM wp_postmeta AS src WHERE src.post_id = 3 AND src.meta_key NOT IN ('_edit_lock') UNION ALL SELECT 4, '_copied_from', '3';

SELECT id FROM replies WHERE thread_id = 5 ORDER BY id DESC LIMIT 1 INTO @last_reply;

SELECT id, total INTO @oid, @ototal FROM `order` WHERE user_id = 5 AND status = 'cart' LIMIT 1 FOR UPDATE;

SELECT DISTINCT(user_id), (thread_id), (SELECT 1), NULL, TRUE FROM replies WHERE (user_id) IN ((1), (2));

SELECT score IN (1, 2) IS TRUE, score = 1 = 1, NOT score BETWEEN 1 AND 3, score NOT IN (SELECT value FROM votes), - - score, !(score > 1) FROM replies;

SELECT id FROM Threads WHERE views BETWEEN reply_count AND reply_count * 10 AND pinned = 0 AND views NOT BETWEEN 5 AND 6 OR title REGEXP '^(Re|Fwd): ';

SELECT TRIM('/' FROM path), TRIM(BOTH FROM path), SUBSTRING(path FROM LOCATE('.', path)), POSITION('a' IN path) + 1, EXTRACT(HOUR_SECOND FROM taken_at), CHAR(width USING utf8mb4), TIMESTAMPADD(SQL_TSI_DAY, 1, taken_at), TIMESTAMPDIFF(SQL_TSI_HOUR, taken_at, uploaded_at) FROM media;

SELECT GROUP_CONCAT(sku, ':', qty ORDER BY 2 DESC, sku SEPARATOR ''), GROUP_CONCAT(DISTINCT sku, qty), GROUP_CONCAT(CASE WHEN qty > 1 THEN sku END ORDER BY unitPrice * qty SEPARATOR ' ') FROM orderItems GROUP BY orderId;

SELECT m.id, SUM(m.bytes) OVER w2 AS cum, COUNT(*) OVER w1 AS cnt FROM media m WINDOW w1 AS (PARTITION BY m.kind), w2 AS (w1 ORDER BY m.uploaded_at ROWS UNBOUNDED PRECEDING) ORDER BY cum - LAG(m.bytes) OVER w2;

SELECT r.id, RANK() OVER (ORDER BY (SELECT COUNT(*) FROM votes v WHERE v.reply_id = r.id) DESC) AS popularity FROM replies r ORDER BY popularity;

SELECT t.id, MATCH(t.title) AGAINST (@q) + 0.5 * (SELECT MAX(MATCH(r.body) AGAINST (@q IN BOOLEAN MODE)) FROM replies r WHERE r.thread_id = t.id) AS relevance FROM Threads t ORDER BY relevance DESC LIMIT 10;

SELECT thread_id, user_id FROM replies WHERE (thread_id, user_id, created_at) >= (3, 4, '2025-01-01') AND (user_id, thread_id) NOT IN (SELECT starter_id, id FROM Threads);

SELECT COUNT(*) FROM replies HAVING MAX(score) > 3 AND COUNT(*) > 10 ORDER BY COUNT(DISTINCT user_id);

SELECT title FROM Threads ORDER BY (SELECT COUNT(*) FROM replies WHERE thread_id = Threads.id) DESC, title COLLATE utf8mb4_bin, -views, pinned IS NULL LIMIT 0;

SELECT title COLLATE utf8mb4_bin AS t, COUNT(*) FROM Threads GROUP BY title COLLATE utf8mb4_bin HAVING COUNT(*) > 1 AND t <> '';

SELECT MIN(v) AS lo, MAX(v) AS hi FROM (SELECT views AS v FROM Threads UNION ALL SELECT hits FROM PageStats UNION ALL SELECT comment_count FROM wp_posts) AS all_values WHERE v > 0;

SELECT (SELECT MAX(v) FROM (SELECT value AS v FROM votes WHERE reply_id < 10) AS inner_votes) AS m, (SELECT COUNT(*) FROM replies r WHERE r.score > m) AS above_m FROM DUAL;

SELECT u.user_login AS login, (SELECT COUNT(*) FROM wp_comments WHERE comment_author = login) AS n FROM wp_users u HAVING n > (SELECT COUNT(*) FROM Threads WHERE starter_id = u.ID AND title = login);

SELECT p.ID AS pid, COUNT(c.comment_ID) AS cc FROM wp_posts p LEFT JOIN wp_comments c ON c.comment_post_ID = p.ID GROUP BY pid HAVING cc <> MAX(p.comment_count) ORDER BY EXISTS (SELECT 1 FROM wp_postmeta WHERE post_id = pid) DESC;

SELECT sku, qty AS unitPrice FROM orderItems GROUP BY sku, orderItems.qty HAVING unitPrice > 1 ORDER BY unitPrice DESC;

SELECT currency AS c, SUM(total) AS total FROM `order` GROUP BY c HAVING total > 100 ORDER BY total DESC;

SELECT DATE(created_at) AS created_at, COUNT(*) AS n FROM votes GROUP BY DATE(created_at) HAVING created_at > '2025-01-01' ORDER BY created_at;

SELECT x.total, x.user_id FROM (SELECT SUM(total) AS total, user_id FROM `order` WHERE total > 0 GROUP BY user_id ORDER BY total) AS x WHERE x.total > (SELECT AVG(total) FROM `order`);

UPDATE wp_posts p LEFT JOIN (SELECT post_id, GROUP_CONCAT(DISTINCT author_id) AS authors FROM revisions GROUP BY post_id) r ON r.post_id = p.ID SET p.post_excerpt = CONCAT(IFNULL(p.post_excerpt, ''), ' [', IFNULL(r.authors, '-'), ']'), p.post_modified = p.post_modified WHERE p.post_type = 'page';

UPDATE `order` SET `order`.notes = CONCAT('[', `order`.`status`, '] ', IFNULL(notes, '')), status = 'cancelled' WHERE `order`.status = 'cart' AND id NOT IN (SELECT orderId FROM orderItems) ORDER BY `order`.id DESC LIMIT 10;

UPDATE hot_threads h JOIN Threads t ON t.id = h.thread_id SET t.pinned = 1 WHERE h.participants > 20 AND h.group_name LIKE 'A%';

UPDATE replies AS child, replies AS parent SET child.parent_id = parent.parent_id WHERE child.parent_id = parent.id AND parent.deleted_at IS NOT NULL;

DELETE FROM replies AS r WHERE r.score < -20 AND NOT EXISTS (SELECT 1 FROM votes v WHERE v.reply_id = r.id AND v.value > 0) LIMIT 10;

DELETE gu, pg FROM `groups` g INNER JOIN group_user gu ON gu.group_id = g.id LEFT JOIN permission_grants pg ON pg.grantee_type = 'group' AND pg.grantee_id = g.id WHERE g.visibility = 'hidden' AND g.id IN (SELECT t.group_id FROM Threads t GROUP BY t.group_id HAVING MAX(t.last_reply_at) < '2020-01-01');

DELETE replies, votes FROM replies NATURAL JOIN votes;

LOAD XML LOCAL INFILE 'users.xml' IGNORE INTO TABLE wp_users ROWS IDENTIFIED BY '<user>' (user_login, @mail) SET user_email = LOWER(@mail), display_name = user_login;

SELECT id, CASE WHEN EXISTS (SELECT 1 FROM votes WHERE reply_id = id AND value < 0) THEN 'disputed' WHEN score > (SELECT AVG(score) FROM replies) THEN 'good' END AS verdict FROM replies WHERE thread_id IN (SELECT t.id FROM Threads t NATURAL JOIN (SELECT id AS group_id FROM `groups` WHERE visibility = 'public') pub) HAVING verdict IS NOT NULL;

SELECT DATE_ADD(o.placed_at, INTERVAL (SELECT COUNT(*) FROM orderItems WHERE orderId = o.id) + 2 DAY) AS due, IF(o.paid_at IS NULL, (SELECT user_email FROM wp_users WHERE ID = o.user_id), NULL) AS remind FROM `order` o WHERE o.status = 'placed' HAVING due < NOW() ORDER BY due;

SELECT level_1.name, level_2.name, level_3.name FROM `groups` level_1 LEFT JOIN `groups` level_2 ON level_2.parent_id = level_1.id LEFT JOIN `groups` level_3 ON level_3.parent_id = level_2.id WHERE level_1.parent_id IS NULL AND COALESCE(level_3.visibility, level_2.visibility, level_1.visibility) = 'public';

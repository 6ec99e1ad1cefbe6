SELECT score AS body, body AS score FROM replies ORDER BY score, replies.score;

SELECT user_id AS id, COUNT(*) AS n FROM replies GROUP BY id HAVING id > 5 ORDER BY n;

SELECT LEFT(title, 10) AS title, COUNT(*) FROM Threads GROUP BY title ORDER BY title;

SELECT t.title AS views FROM Threads t HAVING views > 10;

SELECT votes.value AS votes FROM votes HAVING votes > 0 ORDER BY votes.value;

SELECT name.name FROM `groups` AS name WHERE name.id = 1;

SELECT `groups`.slug, `groups`.settings FROM wp_terms AS `groups2` JOIN `groups` USING (slug);

SELECT slug, name FROM wp_terms JOIN `groups` USING (slug, name) WHERE slug LIKE 'a%' ORDER BY name;

SELECT user_id, a.user_id AS a_id, b.user_id AS b_id FROM votes a LEFT JOIN replies b USING (user_id) GROUP BY user_id;

SELECT * FROM votes NATURAL JOIN group_user NATURAL JOIN `order` WHERE user_id > 3 AND value = 1;

SELECT t.*, t.id AS again, 'x' AS `marker` FROM Threads AS t, (SELECT MAX(id) AS id FROM replies) AS m WHERE t.id < m.id;

SELECT wp_posts.ID AS wp_posts FROM wp_posts WHERE wp_posts.ID IN (SELECT wp_posts.post_parent FROM wp_posts WHERE wp_posts.post_type = 'page');

SELECT id FROM replies r WHERE EXISTS (SELECT 1 FROM replies WHERE parent_id = r.id AND user_id = r.user_id) GROUP BY id HAVING COUNT(*) = 1;

SELECT user_login FROM wp_users WHERE EXISTS (SELECT 1 FROM `order` WHERE user_id = ID AND EXISTS (SELECT 1 FROM orderItems WHERE orderId = id AND sku = user_login));

SELECT g.id, (SELECT MAX(views) FROM Threads WHERE group_id = g.id HAVING MAX(views) > g.`rank`) AS m FROM `groups` g;

SELECT group_id, COUNT(*) AS c FROM Threads t GROUP BY group_id HAVING c > (SELECT COUNT(*) FROM group_user gu WHERE gu.group_id = t.group_id);

SELECT u.ID AS uid, (SELECT COUNT(*) FROM replies WHERE user_id = uid) AS n FROM wp_users u;

SELECT thread_id AS t, SUM(score) AS s FROM replies GROUP BY t ORDER BY SUM(score) DESC, t + 0;

SELECT user_id u, thread_id t, MAX(score) FROM replies r GROUP BY u, t, r.parent_id ORDER BY r.parent_id, u;

(SELECT id AS x, title FROM Threads) UNION (SELECT id, body FROM replies) ORDER BY x, title LIMIT 3;

SELECT id AS a FROM Threads UNION SELECT b.id FROM (SELECT id FROM replies) AS b ORDER BY a;

SELECT x.a, y.a FROM (SELECT 1 AS a) x, (SELECT 2 AS a) y WHERE x.a < y.a ORDER BY y.a;

SELECT a.id FROM Threads a JOIN (Threads b JOIN replies c ON c.thread_id = b.id) ON a.id = b.id AND c.user_id = a.starter_id;

SELECT r.id, v.value FROM replies r LEFT JOIN (votes v JOIN wp_users u ON u.ID = v.user_id AND u.user_status = 0) ON v.reply_id = r.id WHERE u.ID IS NOT NULL;

WITH id AS (SELECT id FROM Threads) SELECT id.id FROM id WHERE id.id > 3;

WITH a AS (SELECT id AS k FROM Threads), b AS (WITH c AS (SELECT id AS j FROM replies) SELECT c.j FROM c) SELECT a.k, b.j FROM a JOIN b ON a.k = b.j;

WITH c1 AS (SELECT ID, post_author FROM wp_posts) SELECT * FROM c1 x WHERE x.post_author IN (SELECT c1.post_author FROM c1 WHERE c1.ID = x.ID + 1);

SELECT q.* FROM (SELECT r.*, t.title FROM replies r JOIN Threads t ON t.id = r.thread_id) q WHERE q.title LIKE 'Q%' AND q.body <> q.title ORDER BY q.created_at;

SELECT ID, id2.ID FROM (SELECT ID FROM wp_users) AS id2;

SELECT * FROM (SELECT a.*, b.meta_key, b.meta_value FROM wp_users a JOIN wp_usermeta b ON b.user_id = a.ID) AS wide WHERE wide.meta_key = 'nickname' AND wide.user_login <> wide.meta_value COLLATE utf8mb4_unicode_ci;

SELECT COUNT(*) AS n FROM thread_activity WHERE replies > participants AND latest IS NOT NULL HAVING n;

SELECT h.title, h.group_name FROM hot_threads AS h WHERE h.views > ALL (SELECT views FROM hot_threads WHERE group_id = h.group_id AND thread_id <> h.thread_id);

SELECT `page id`, `Monthly-Stats`.uniques FROM `Monthly-Stats` WHERE `Monthly-Stats`.`total hits` > 100 GROUP BY `page id`, `month`;

SELECT post_id, COUNT(*) FROM published_posts JOIN wp_postmeta USING (post_id) GROUP BY post_id HAVING MAX(comments) > 3 ORDER BY MIN(published_on);

UPDATE Threads AS x SET x.title = CONCAT(title, ' (', (SELECT g.name FROM `groups` g WHERE g.id = x.group_id), ')') WHERE x.id IN (SELECT thread_id FROM replies WHERE replies.score > x.views);

UPDATE wp_users u, (SELECT user_id AS uid, COUNT(*) AS c FROM replies GROUP BY user_id) counts SET user_status = c WHERE ID = uid;

DELETE FROM replies WHERE NOT EXISTS (SELECT 1 FROM Threads WHERE Threads.id = thread_id AND Threads.starter_id = replies.user_id);

DELETE alias1 FROM Threads AS alias1 JOIN Threads AS alias2 ON alias1.title = alias2.title WHERE alias1.id > alias2.id AND alias2.group_id = alias1.group_id;

SELECT DISTINCT r1.user_id FROM replies r1 WHERE r1.score > (SELECT AVG(r2.score) FROM replies r2 WHERE r2.thread_id = r1.thread_id AND r2.id <> r1.id AND EXISTS (SELECT 1 FROM votes v WHERE v.reply_id = r2.id AND v.user_id = r1.user_id));

SELECT p.ID, (SELECT GROUP_CONCAT(t.name ORDER BY tr.term_order, t.name SEPARATOR '/') FROM wp_term_relationships tr JOIN wp_term_taxonomy tt USING (term_taxonomy_id) JOIN wp_terms t USING (term_id) WHERE tr.object_id = p.ID AND taxonomy = p.post_type) AS terms FROM wp_posts p;

SELECT wp_users.*, COUNT(*) OVER (PARTITION BY user_status) FROM wp_users JOIN (SELECT DISTINCT user_id FROM votes) AS voters ON voters.user_id = ID ORDER BY ID;

SELECT CASE value WHEN 1 THEN 'up' WHEN -1 THEN 'down' END AS value, COUNT(*) FROM votes GROUP BY votes.value HAVING value IS NOT NULL ORDER BY value;

SELECT s.statDay AS statday, SUM(HITS) AS Hits, AVG(BounceRate) FROM PageStats s GROUP BY STATDAY ORDER BY hits;

SELECT MAX(id) OVER w AS w, w.id FROM Threads AS w WINDOW w AS (PARTITION BY w.group_id ORDER BY id);

SELECT COUNT(*) FROM wp_posts p WHERE p.post_title = ANY (SELECT title FROM revisions r WHERE (r.post_id, r.author_id) = (p.ID, p.post_author) UNION SELECT title FROM Threads WHERE starter_id = p.post_author);

SELECT `ID`, `Wp_Posts`.`post_title` FROM wp_posts AS `Wp_Posts` WHERE `Wp_Posts`.`POST_STATUS` = 'publish' ORDER BY `Wp_Posts`.post_date;

SELECT id, slug FROM `groups` WHERE parent_id IS NULL AND id = (SELECT parent_id FROM `groups` g2 WHERE g2.parent_id = `groups`.id LIMIT 1);

INSERT INTO group_user (group_id, user_id) VALUES ((SELECT id FROM `groups` WHERE slug = 'garden'), (SELECT ID FROM wp_users WHERE user_login = 'zoe')) ON DUPLICATE KEY UPDATE role = IF(role = 'owner', role, VALUES(role)), group_user.expires_on = NULL;

SELECT a.n + b.n AS n FROM (SELECT COUNT(*) AS n FROM Threads) a JOIN (SELECT COUNT(*) AS n FROM replies) b HAVING n > 0;

SELECT o.id, o.user_id AS total FROM `order` o ORDER BY total, o.total, -total;

SELECT (SELECT x.title FROM (SELECT title, group_id FROM Threads) x WHERE x.group_id = g.id LIMIT 1) AS title, name AS g FROM `groups` g ORDER BY g, title;

SELECT lineTotal * (1 + taxRate) AS gross, gross.label FROM orderItems, (SELECT 'with tax' AS label) AS gross ORDER BY gross;

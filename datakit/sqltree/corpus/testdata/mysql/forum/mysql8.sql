SELECT t.id, t.title, latest.id AS reply_id, latest.created_at
FROM Threads t
LEFT JOIN LATERAL (
  SELECT r.id, r.created_at FROM replies r WHERE r.thread_id = t.id ORDER BY r.created_at DESC LIMIT 1
) AS latest ON TRUE
WHERE t.deleted_at IS NULL;

SELECT g.name, top.title, top.views
FROM `groups` g, LATERAL (SELECT title, views FROM Threads WHERE group_id = g.id ORDER BY views DESC LIMIT 3) top;

SELECT u.ID, stats.n, stats.best, share.pct
FROM wp_users u
CROSS JOIN LATERAL (SELECT COUNT(*) AS n, MAX(score) AS best FROM replies WHERE user_id = u.ID) stats
CROSS JOIN LATERAL (SELECT stats.n / COUNT(*) * 100 AS pct FROM replies) share
WHERE stats.n > 0;

SELECT p.ID, words.n, lines_.n AS line_count FROM wp_posts p
JOIN LATERAL (SELECT CHAR_LENGTH(p.post_content) DIV 6) AS words (n) ON words.n > 100
JOIN LATERAL (SELECT CHAR_LENGTH(p.post_content) DIV 80) AS lines_ (n);

SELECT id, settings->'$.theme' AS theme, settings->>'$.limits.posts' AS max_posts FROM `groups` WHERE settings->>'$.theme' = 'dark' ORDER BY settings->'$.limits.posts';

SELECT g.id, g.settings ->> '$.owner.name' AS owner, COUNT(*) AS n FROM `groups` AS g JOIN Threads AS t ON t.group_id = g.id AND t.tags -> '$[0]' = 'news' GROUP BY g.id, owner HAVING owner IS NOT NULL;

SELECT id, title FROM Threads WHERE 'howto' MEMBER OF (tags) AND NOT ('solved' MEMBER OF(tags->'$'));

UPDATE `groups` SET settings = JSON_SET(settings, '$.seen', 1) WHERE settings->>'$.beta' = 'true' AND JSON_STORAGE_SIZE(settings) < 2000;

INSERT INTO PageStats (pageId, statDay, `hour`, hits) VALUES (12, '2025-03-01', 9, 1) AS fresh
ON DUPLICATE KEY UPDATE hits = PageStats.hits + fresh.hits;

INSERT INTO votes (reply_id, user_id, value) VALUES (1, 2, 1), (1, 3, -1) AS new (rid, uid, val)
ON DUPLICATE KEY UPDATE value = new.val, created_at = IF(votes.value = val, votes.created_at, NOW());

insert into `votes` (`reply_id`, `user_id`, `value`) values (?, ?, ?) as laravel_upsert_alias on duplicate key update `value` = `laravel_upsert_alias`.`value`, `created_at` = now();

INSERT INTO wp_options SET option_name = 'theme', option_value = 'dark' AS incoming ON DUPLICATE KEY UPDATE option_value = CONCAT(wp_options.option_value, ',', incoming.option_value);

INSERT INTO PageStats (pageId, statDay, hits)
SELECT * FROM (SELECT pageId, CURDATE() AS d, SUM(hits) AS h FROM PageStats GROUP BY pageId) AS agg
ON DUPLICATE KEY UPDATE PageStats.hits = agg.h;

INSERT INTO wp_terms (name, slug) VALUES ROW('Kale', 'kale'), ROW('Leek', 'leek');

TABLE permissions;

TABLE wp_terms ORDER BY name LIMIT 10 OFFSET 5;

VALUES ROW(1, 'one'), ROW(2, 'two') ORDER BY column_0 DESC LIMIT 1;

SELECT v.column_0 AS id, g.name FROM (VALUES ROW(1), ROW(4), ROW(9)) AS v JOIN `groups` g ON g.id = v.column_0;

SELECT input.slug, input.pos, t.term_id
FROM (VALUES ROW('news', 1), ROW('press', 2)) AS input (slug, pos)
LEFT JOIN wp_terms t ON t.slug = input.slug
ORDER BY input.pos;

SELECT d.who, d.cnt FROM (SELECT user_id, COUNT(*) FROM replies GROUP BY user_id) AS d (who, cnt) WHERE d.cnt > 5;

WITH stale AS (SELECT id FROM Threads WHERE last_reply_at < NOW() - INTERVAL 3 YEAR)
UPDATE Threads JOIN stale ON stale.id = Threads.id SET Threads.is_locked = 1;

WITH noise AS (SELECT v.user_id FROM votes v GROUP BY v.user_id HAVING AVG(v.value) < -0.9)
DELETE FROM votes WHERE user_id IN (SELECT user_id FROM noise);

WITH RECURSIVE sub AS (SELECT id FROM replies WHERE id = ? UNION ALL SELECT r.id FROM replies r JOIN sub ON sub.id = r.parent_id)
DELETE r FROM replies r INNER JOIN sub ON sub.id = r.id;

SELECT o.id, o.total FROM `order` o JOIN wp_users u ON u.ID = o.user_id WHERE o.status = 'placed' FOR UPDATE OF o SKIP LOCKED;

SELECT * FROM Threads t JOIN replies r ON r.thread_id = t.id WHERE t.id = 4 FOR SHARE OF t NOWAIT FOR UPDATE OF r;

SELECT id FROM `groups` WHERE slug = 'garden' FOR SHARE;

SELECT u.ID FROM wp_users u WHERE REGEXP_LIKE(u.user_login, '^adm', 'c') AND NOT REGEXP_LIKE(u.user_email, 'example');

SELECT BIN_TO_UUID(checksum, 1) AS u, IS_UUID(path) FROM media WHERE checksum = UUID_TO_BIN(?, TRUE);

SELECT currency, status, SUM(total) AS amount, IF(GROUPING(currency, status), 'subtotal', 'row') AS kind
FROM `order`
GROUP BY currency, status WITH ROLLUP
ORDER BY GROUPING(currency), currency, GROUPING(status), status;

SELECT statDay, SUM(hits) OVER (ORDER BY statDay RANGE BETWEEN INTERVAL 6 DAY PRECEDING AND CURRENT ROW) AS week_hits FROM PageStats WHERE pageId = 12;

SELECT user_id, JSON_ARRAYAGG(thread_id) OVER (PARTITION BY user_id) AS threads, FIRST_VALUE(score) RESPECT NULLS OVER (ORDER BY created_at) AS f, NTH_VALUE(score, 2) FROM FIRST OVER (ORDER BY created_at) AS n2 FROM replies;

SELECT p.post_title, LEAD(p.post_title, 1, '(none)') OVER w AS next_title, LAG(p.post_title, 1, '(none)') OVER w AS prev_title FROM wp_posts p WHERE p.post_type = 'post' WINDOW w AS (ORDER BY p.post_date);

SELECT /*+ MAX_EXECUTION_TIME(2000) NO_MERGE(x) INDEX(t threads_group_last) */ x.n, ANY_VALUE(t.title) AS sample FROM Threads t JOIN (SELECT group_id, COUNT(*) AS n FROM Threads GROUP BY group_id) x USING (group_id) GROUP BY x.n;

SELECT CAST(created_at AT TIME ZONE '+00:00' AS DATETIME) AS utc, CAST(YEAR(created_at) AS YEAR) AS y, CAST(id AS FLOAT) AS f, CAST('[1,2]' AS JSON) AS j FROM moderation_log;

SELECT id, JSON_VALUE(settings, '$.limits.posts' RETURNING UNSIGNED DEFAULT 0 ON EMPTY NULL ON ERROR) AS lim FROM `groups`;

SELECT id, JSON_PRETTY(CAST(exif AS JSON)), JSON_SCHEMA_VALID('{"type":"object"}', exif) FROM media WHERE exif->'$.GPS.lat' > 47 AND CAST(exif->>'$.ISO' AS UNSIGNED) < 400;

(SELECT reply_id, user_id, value, created_at FROM votes ORDER BY created_at DESC LIMIT 5) INTERSECT (TABLE votes LIMIT 100) ORDER BY 1;

SELECT ID FROM wp_posts WHERE (ID, post_parent, menu_order) IN (TABLE wp_term_relationships) OR NOT EXISTS (TABLE permissions);

INSERT INTO permissions TABLE permissions ON DUPLICATE KEY UPDATE description = NULL;

SELECT name COLLATE utf8mb4_0900_as_cs AS n, _utf8mb4'é' COLLATE utf8mb4_0900_ai_ci = 'e' AS eq FROM `groups` ORDER BY name COLLATE utf8mb4_de_pb_0900_as_cs;

SELECT ST_Distance_Sphere(POINT(exif->>'$.GPS.lon', exif->>'$.GPS.lat'), POINT(16.37, 48.21)) AS metres, path FROM media HAVING metres < 5000 ORDER BY metres;

SELECT g.id, j.* FROM `groups` g LEFT JOIN LATERAL (SELECT jt.k, COUNT(*) AS c FROM JSON_TABLE(g.settings->'$.list', '$[*]' COLUMNS (k VARCHAR(20) PATH '$.k')) AS jt GROUP BY jt.k) AS j ON j.c > 1;

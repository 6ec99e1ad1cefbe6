SELECT ALL statId, hits FROM PageStats PARTITION (pmax) WHERE 1 = 0;

SELECT s.hits FROM PageStats PARTITION (p2023, p2024) AS s USE INDEX FOR ORDER BY (page_day_hour) IGNORE INDEX FOR GROUP BY (PRIMARY) WHERE s.pageId = 1 ORDER BY s.statDay;

SELECT ID,user_login,user_email FROM wp_users WHERE user_login=? AND user_pass=SHA2(CONCAT(?,user_nicename),512) LIMIT 1;

SELECT user_login FROM wp_users WHERE ID IN (?, ?, ?) OR (user_email, user_status) = (?, ?) ORDER BY FIELD(ID, ?, ?, ?) LIMIT ? OFFSET ?;

select`id`,`name`from`groups`where`rank`>10 and`visibility`='public'order by`rank`;

SELECT id FROM replies WHERE created_at>=DATE_FORMAT(NOW(),'%Y-%m-01')AND score>0;

SELECT
	r.id,
	-- r.body,
	r.score /* sum of the votes, -1 .. 1 each */,
	r.user_id -- may be NULL
FROM
	replies r
WHERE
	r.score > 5 -- liked; see votes
	AND r.deleted_at IS NULL;

SELECT 5--1 AS six, id - -1, id--id, 3 -(-2) FROM `groups`;

SELECT 'a' 'b' "c" AS abc, "it's" AS d, 'say "hi"' AS e, 'tab\there' AS f, 'nul\0' AS g, '' AS empty_one, "" AS empty_two;

SELECT id, title FROM Threads WHERE title LIKE '%\\%' OR title LIKE '%''%' OR title = "O\"Neill";

SELECT t.id AS `select`, t.title AS `from`, t.views AS `where``d` FROM Threads AS `table` JOIN Threads AS t ON t.id = `table`.id ORDER BY `select`, `where``d`;

SELECT id FROM Threads WHERE created_at < '2025-01-01' - INTERVAL (views + 1) DAY AND last_reply_at > created_at + INTERVAL '1 2' DAY_HOUR;

SELECT COUNT(*) FROM wp_posts WHERE post_date BETWEEN (NOW() - INTERVAL 1 MONTH) AND NOW() AND post_status NOT IN ('trash', 'auto-draft') AND NOT (post_type = 'revision' OR post_parent <> 0);

SELECT SUM(total) FROM `order` WHERE CASE currency WHEN 'EUR' THEN total > 10 WHEN 'USD' THEN total > 12 ELSE FALSE END;

SELECT user_id FROM votes GROUP BY user_id HAVING SUM(value) BETWEEN -5 AND 5 AND COUNT(*) > 3 AND MIN(created_at) < NOW() - INTERVAL 1 YEAR;

SELECT id, thread_id, (score - 1) / POWER(TIMESTAMPDIFF(HOUR, created_at, NOW()) + 2, 1.8) AS gravity FROM replies ORDER BY gravity DESC, id LIMIT 30;

SELECT IF(COUNT(*) > 0, MIN(id), NULL) AS first_id, IF(GROUP_CONCAT(DISTINCT role) = 'member', 'plain', 'mixed') FROM `groups` LEFT JOIN group_user ON group_user.group_id = id WHERE slug = 'garden';

SELECT id, CONCAT(name, CASE WHEN parent_id IS NULL THEN '' ELSE CONCAT(' (in ', (SELECT p.name FROM `groups` p WHERE p.id = g.parent_id), ')') END) AS label FROM `groups` g;

SELECT DISTINCT SUBSTRING_INDEX(path, '/', 2) AS folder, kind, COUNT(*) OVER (PARTITION BY kind) FROM media WHERE NOT FIND_IN_SET('nsfw', flags);

SELECT REPLACE(REPLACE(REPLACE(body, '<', '&lt;'), '>', '&gt;'), '\n', '<br>') AS html, LENGTH(body), OCTET_LENGTH(body), BIT_LENGTH(body), LOCATE('@', body, 3), body REGEXP BINARY 'A' FROM replies;

SELECT CAST(CONCAT(YEAR(statDay), '-', LPAD(MONTH(statDay), 2, '0'), '-01') AS DATE) AS m, CONVERT('2025-01-01', DATETIME), CONVERT(hits, SIGNED INTEGER), CONVERT(referrer, BINARY), CONVERT(referrer USING ascii) FROM PageStats;

SELECT LOWER(CONVERT(checksum USING latin1)), LOWER(HEX(checksum)), CONVERT(CAST(CONVERT(path USING latin1) AS BINARY) USING utf8mb4) AS repaired FROM media WHERE path LIKE '%Ã%';

SELECT * FROM wp_comments c WHERE c.comment_content LIKE CONCAT('%', (SELECT option_value FROM wp_options WHERE option_name = 'disallowed_keys'), '%') COLLATE utf8mb4_unicode_ci;

SELECT t.id, t.title, COALESCE(t.last_reply_at, t.created_at) AS at FROM Threads t WHERE (COALESCE(t.last_reply_at, t.created_at), t.id) < (?, ?) ORDER BY at DESC, id DESC LIMIT 20;

SELECT g.id, ABS(CAST(g.`rank` AS SIGNED) - 50) AS distance FROM `groups` AS g WHERE g.id NOT IN (3) AND (g.owner_id = 4 OR g.visibility = 'public') ORDER BY distance ASC, g.name DESC;

SELECT p.id, p.`key`, p.`default` FROM permissions AS p WHERE p.`key` LIKE _ascii'thread.%' COLLATE ascii_bin OR p.`default` = DEFAULT(p.`default`);

SELECT last_reply_at IS NULL AS no_reply, NOT EXISTS (SELECT 1) AS never, EXISTS (SELECT NULL FROM replies) AS ever FROM Threads LIMIT 1;

SELECT INTERVAL 1 DAY + statDay, ADDDATE(statDay, 7), SUBDATE(statDay, INTERVAL 1 MONTH), ADDTIME('10:00:00', SEC_TO_TIME(loadMs / 1000)), GET_FORMAT(DATE, 'EUR'), TIME_FORMAT('10:11:12', '%H'), TIMESTAMP(statDay, '12:00') FROM PageStats;

SELECT id FROM revisions WHERE is_minor = 1 AND is_minor & 1 AND is_minor = 0b1 AND CAST(is_minor AS UNSIGNED) = TRUE AND body_length > CHAR_LENGTH(title) * 2;

SELECT COUNT(DISTINCT CASE WHEN v.value > 0 THEN v.user_id END) AS fans, COUNT(DISTINCT CASE WHEN v.value < 0 THEN v.user_id END) AS critics, GROUP_CONCAT(DISTINCT v.value) AS vals
FROM votes v
WHERE v.reply_id IN (SELECT id FROM replies WHERE user_id = @uid)
HAVING fans + critics > 0;

SELECT 1 FROM wp_users WHERE user_login = 'x' UNION ALL SELECT 2 FROM wp_users WHERE user_email = 'x' LIMIT 1;

SELECT u.user_login, JSON_EXTRACT(@prefs, '$.lang') AS lang, @@sql_mode AS mode, @@session.time_zone, @x := 5, @y := @x + u.ID FROM wp_users u WHERE u.ID = @x;

SELECT table_name, table_rows, ROUND((data_length + index_length) / 1048576, 1) AS mib FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE 'wp\_%' ORDER BY mib DESC;

SELECT k.CONSTRAINT_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME FROM information_schema.KEY_COLUMN_USAGE k WHERE k.TABLE_SCHEMA = DATABASE() AND k.REFERENCED_TABLE_NAME = 'wp_users';

WITH d AS (SELECT DATE(created_at) AS day, user_id FROM replies GROUP BY DATE(created_at), user_id),
     n AS (SELECT d.user_id, d.day, ROW_NUMBER() OVER (PARTITION BY d.user_id ORDER BY d.day) AS rn FROM d)
SELECT user_id, MIN(day) AS streak_from, COUNT(*) AS streak_days
FROM n
GROUP BY user_id, DATE_SUB(day, INTERVAL rn DAY)
HAVING streak_days >= 7
ORDER BY streak_days DESC, user_id;

SELECT a.path, b.path FROM media a INNER JOIN media b ON a.checksum = b.checksum AND a.id < b.id AND a.bytes = b.bytes WHERE a.checksum <> x'00' ORDER BY a.bytes DESC LIMIT 100;

SELECT SUBSTRING(user_email, LOCATE('@', user_email) + 1) AS dom, COUNT(*) FROM wp_users GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY COUNT(*) DESC, dom;

INSERT INTO wp_usermeta SET user_id = (SELECT ID FROM wp_users WHERE user_login = 'zoe' LIMIT 1), meta_key = 'badge', meta_value = CONCAT('gold-', YEAR(NOW())), umeta_id = DEFAULT;

(SELECT id FROM Threads WHERE pinned = 1 ORDER BY id LIMIT 1) LIMIT 1;

((SELECT COUNT(*) AS c FROM replies));

SELECT (SELECT (SELECT MAX(v.created_at) FROM votes v WHERE v.reply_id = r.id AND v.user_id = u.ID) FROM replies r WHERE r.user_id = u.ID ORDER BY r.id DESC LIMIT 1) AS self_vote FROM wp_users u;

KILL QUERY 4711;

SHOW FULL COLUMNS FROM wp_posts LIKE 'post_%';

SHOW INDEX FROM Threads WHERE Key_name <> 'PRIMARY';

START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY;

LOCK TABLES wp_posts WRITE, wp_postmeta AS m READ;

PREPARE nightly FROM 'DELETE FROM votes WHERE value = 0 LIMIT ?';

ANALYZE TABLE replies, `Threads`, PageStats;

GRANT SELECT, UPDATE (display_name, user_email) ON wp_users TO 'reader'@'%';

SET SESSION group_concat_max_len = 1000000, @uid = (SELECT ID FROM wp_users WHERE user_login = 'zoe');

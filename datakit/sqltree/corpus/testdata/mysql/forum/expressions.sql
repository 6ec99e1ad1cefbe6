SELECT EXTRACT(YEAR FROM user_registered) AS y, EXTRACT(MONTH FROM user_registered) AS m, EXTRACT(DAY_MINUTE FROM user_registered) dm FROM wp_users;

SELECT SUBSTRING(path FROM 1 FOR 10), SUBSTRING(path, -4), SUBSTR(path FROM 5), MID(path, 2, 3) FROM media;

SELECT TRIM(BOTH '/' FROM path), TRIM(LEADING 'wp-' FROM path) AS short_path, TRIM(TRAILING FROM path), LTRIM(path) FROM media;

SELECT POSITION('@' IN user_email) AS at_pos, LOCATE('.', user_email, POSITION('@' IN user_email)) AS dot_pos, INSTR(user_email, '+') FROM wp_users;

SELECT CONVERT(user_login USING latin1), CONVERT(user_status, CHAR(5)), CAST(user_registered AS DATE), CAST(display_name AS CHAR CHARACTER SET utf8mb4) FROM wp_users;

SELECT _utf8mb4'Grüße' AS greeting, _latin1 x'E4' AS a_umlaut, N'national' AS nat, X'4D79' AS hex, b'1010' AS bits, 0xFF AS ff;

SELECT slug FROM wp_terms WHERE name = _utf8mb4'Übung' COLLATE utf8mb4_bin;

SELECT name FROM wp_terms ORDER BY name COLLATE utf8mb4_german2_ci, CHAR_LENGTH(name) DESC;

SELECT user_login FROM wp_users WHERE user_login RLIKE '^[a-z]{3,}[0-9]+$' AND user_email NOT REGEXP '@example\\.(org|net)$';

SELECT user_login FROM wp_users WHERE BINARY user_login = 'Admin';

SELECT id, INET6_NTOA(ip) AS addr FROM replies WHERE ip = INET6_ATON('2001:db8::1') OR INET6_NTOA(ip) LIKE '10.%';

SELECT DATE_FORMAT(created_at, '%W, %e. %M %Y %H:%i') AS nice, DATE_ADD(created_at, INTERVAL '1:30' HOUR_MINUTE) AS later, created_at + INTERVAL 2 WEEK, INTERVAL 1 QUARTER + created_at FROM replies;

SELECT TIMESTAMPDIFF(SECOND, placed_at, paid_at) AS secs, TIMESTAMPADD(MINUTE, 15, placed_at) AS deadline, TIMEDIFF(paid_at, placed_at) AS gap FROM `order` WHERE paid_at IS NOT NULL;

SELECT DATE '2025-03-01' AS d, TIME '12:30:00' AS t, TIMESTAMP '2025-03-01 12:30:00.5' AS ts, {d '2025-03-02'} AS odbc, {ts '2025-03-02 01:02:03'} AS odbc_ts;

SELECT CASE WHEN score > 10 THEN 'great' WHEN score BETWEEN 1 AND 10 THEN 'good' WHEN score = 0 THEN 'plain' ELSE 'bad' END AS class, COUNT(*) FROM replies GROUP BY class ORDER BY MIN(score);

SELECT id, IF(is_locked, 'locked', IF(pinned, 'pinned', 'open')) AS state, IFNULL(last_reply_at, created_at) AS touched, NULLIF(reply_count, 0), COALESCE(last_reply_at, created_at, NOW()) FROM Threads;

SELECT views DIV 100 AS bucket, views MOD 7, views % 3, views & 15, views | 1, views ^ 3, ~views, views << 2, views >> 1 FROM Threads;

SELECT id FROM Threads WHERE NOT is_locked AND pinned IS TRUE OR deleted_at IS NOT NULL XOR views = 0;

SELECT id FROM Threads WHERE !is_locked && pinned || views > 10;

SELECT starter_id <=> NULL AS no_starter, starter_id IS NULL, ISNULL(starter_id), last_reply_at IS NOT UNKNOWN FROM Threads;

SELECT GREATEST(t.views, t.reply_count, 1), LEAST(t.created_at, COALESCE(t.last_reply_at, NOW())), INTERVAL(t.views, 10, 100, 1000) AS bucket FROM Threads t;

SELECT ELT(WEEKDAY(created_at) + 1, 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su') AS dow, COUNT(*) FROM replies GROUP BY dow;

SELECT MAKE_SET(flags, 'n', 'c', 'l'), FIND_IN_SET('cover', flags) > 0 AS is_cover, flags + 0 AS bits, EXPORT_SET(flags, 'Y', '-', ',', 3) FROM media;

SELECT HEX(checksum), UNHEX('ff'), SHA2(path, 256), CRC32(path), MD5(path), TO_BASE64(checksum) FROM media WHERE checksum = UNHEX(SHA2('x', 256));

SELECT GROUP_CONCAT(DISTINCT u.display_name ORDER BY u.display_name ASC SEPARATOR ', ') AS who, t.title
FROM replies r JOIN wp_users u ON u.ID = r.user_id JOIN Threads t ON t.id = r.thread_id
GROUP BY t.id;

SELECT group_id, GROUP_CONCAT(CONCAT(role, '=', user_id) ORDER BY FIELD(role, 'owner', 'moderator', 'member'), joined_at DESC SEPARATOR '\n') FROM group_user GROUP BY group_id;

SELECT CAST(total AS SIGNED), CAST(total AS DECIMAL(12,4)), CONVERT(total, DOUBLE), CAST(notes AS BINARY(8)), CAST(placed_at AS TIME(3)), CAST(id AS UNSIGNED INTEGER), total + 0.0 FROM `order`;

SELECT CONCAT_WS(' ', display_name, NULL, CONCAT('<', user_email, '>')) AS mailbox, LPAD(ID, 8, '0'), RPAD(user_login, 12, '.'), REVERSE(user_login), UCASE(user_nicename) FROM wp_users;

SELECT FORMAT(total, 2, 'de_DE') AS shown, ROUND(total, -1), TRUNCATE(total, 1), CEILING(total), FLOOR(total), SIGN(total), total MOD 5 FROM `order`;

SELECT STR_TO_DATE(meta_value, '%d.%m.%Y') AS born, TIMESTAMPDIFF(YEAR, STR_TO_DATE(meta_value, '%d.%m.%Y'), CURDATE()) AS age FROM wp_usermeta WHERE meta_key = 'birthday';

SELECT WEEK(statDay, 3) AS wk, YEARWEEK(statDay, 3), QUARTER(statDay), DAYOFWEEK(statDay), DAYNAME(statDay), LAST_DAY(statDay), TO_DAYS(statDay), MAKEDATE(YEAR(statDay), 1) FROM PageStats;

SELECT UNIX_TIMESTAMP(created_at), FROM_UNIXTIME(UNIX_TIMESTAMP(created_at), '%Y/%m'), UTC_TIMESTAMP(), CURRENT_TIMESTAMP(3), LOCALTIME, SYSDATE(6), CURRENT_USER() FROM moderation_log;

SELECT REGEXP_REPLACE(body, '<[^>]+>', '') AS plain, REGEXP_SUBSTR(body, 'https?://[^ ]+') AS link, REGEXP_INSTR(body, '@') FROM replies;

SELECT 'it''s' 'concatenated' AS s1, "double ""quoted""" AS s2, 'back\\slash \'q\' \n' AS s3, '100\%' LIKE '100|%' ESCAPE '|' AS s4 FROM DUAL;

SELECT post_title LIKE '50\%%', post_title LIKE '%a!_b%' ESCAPE '!', post_name NOT LIKE 'draft-%' FROM wp_posts;

SELECT SOUNDEX(display_name), display_name SOUNDS LIKE 'Meier' AS sounds FROM wp_users WHERE display_name SOUNDS LIKE 'Maier';

SELECT 1 + 1 AS `two`, -id AS neg, +id AS pos, id * -1, (id), ((id + 1)) * 2, id BETWEEN 1 AND 2 + 3 AS b FROM `groups`;

SELECT id, name IN ('a', 'b', NULL), id NOT IN (1, 2), (id, name) = (1, 'x'), (id, slug) <> (2, 'y'), ROW(id, parent_id) IN ((1, 2), (3, 4)) FROM `groups`;

SELECT USER(), DATABASE(), VERSION(), CONNECTION_ID(), LAST_INSERT_ID(), ROW_COUNT(), @@session.sql_mode, @@global.max_connections, @@autocommit;

SELECT CHAR(77, 121, 83 USING utf8mb4), ASCII(user_login), ORD(user_login), CHARSET(user_login), COLLATION(display_name), COERCIBILITY(user_login) FROM wp_users;

SELECT WEIGHT_STRING(name AS CHAR(5)), INSERT(name, 1, 2, 'X'), REPLACE(name, 'a', 'b'), LEFT(name, 3), RIGHT(name, 3), REPEAT('-', CHAR_LENGTH(name)), SPACE(2), STRCMP(name, slug) FROM wp_terms;

SELECT COUNT(*), COUNT(DISTINCT user_id, thread_id) AS pairs, SUM(DISTINCT score), AVG(ALL score), BIT_AND(score), BIT_XOR(score), STD(score), VAR_POP(score), MAX(DISTINCT score) FROM replies;

SELECT id % 2 = 0 AS even, score IS NOT FALSE, NOT score, score DIV 2 * 2 = score, 5 BETWEEN score AND score + 10, score NOT BETWEEN -1 AND 1 FROM replies WHERE body <> '' AND body IS NOT NULL;

SELECT UUID() AS u, RAND(id) AS r, BENCHMARK(1, id), SLEEP(0), GET_LOCK('nightly', 1), RELEASE_LOCK('nightly') FROM `groups` ORDER BY RAND();

SELECT total * 1.19e0 AS gross, .5 * total, 1e3, 0x1F + 0, TRUE AND FALSE, NULL IS NULL, PI(), POW(total, 2), SQRT(total), LOG(10, total), CONV(id, 10, 36) FROM `order`;

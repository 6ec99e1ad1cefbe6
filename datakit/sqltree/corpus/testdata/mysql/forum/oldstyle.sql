SELECT @rank := @rank + 1 AS place, u.user_login, s.points
FROM (SELECT user_id, SUM(score) AS points FROM replies GROUP BY user_id ORDER BY points DESC) s, (SELECT @rank := 0) init, wp_users u
WHERE u.ID = s.user_id;

SET @rank := 0, @last_group := NULL;

SELECT t.id, t.group_id,
  @n := IF(@last_group = t.group_id, @n + 1, 1) AS n,
  @last_group := t.group_id AS g
FROM Threads t
ORDER BY t.group_id, t.views DESC;

SELECT x.statDay, x.hits, (@running := @running + x.hits) AS running_total
FROM (SELECT statDay, SUM(hits) AS hits FROM PageStats GROUP BY statDay) AS x
JOIN (SELECT @running := 0) AS r
ORDER BY x.statDay;

SELECT COUNT(*), MAX(id) INTO @cnt, @max_id FROM replies WHERE thread_id = 12;

SELECT SQL_NO_CACHE SQL_BUFFER_RESULT HIGH_PRIORITY post_title FROM wp_posts WHERE post_author = @author LIMIT 5;

SELECT SQL_CALC_FOUND_ROWS DISTINCT t.id, t.title FROM Threads t, replies r WHERE t.id = r.thread_id AND MATCH (r.body) AGAINST ('+pruning -roses "cold frame"' IN BOOLEAN MODE) LIMIT 40, 20;

SELECT id, title, MATCH(title) AGAINST ('compost heap' IN NATURAL LANGUAGE MODE) AS score FROM Threads WHERE MATCH(title) AGAINST ('compost heap' IN NATURAL LANGUAGE MODE) > 0.2 ORDER BY score DESC;

SELECT comment_ID FROM wp_comments WHERE MATCH comment_content AGAINST ('snails' WITH QUERY EXPANSION);

SELECT IFNULL(status, 'ALL') AS status, IFNULL(currency, 'ALL') AS currency, SUM(total) AS amount FROM `order` GROUP BY status, currency WITH ROLLUP;

SELECT user_id, thread_id, COUNT(*) FROM replies GROUP BY user_id, thread_id WITH ROLLUP HAVING user_id IS NOT NULL;

SELECT SQL_BIG_RESULT post_author, COUNT(*) c FROM wp_posts GROUP BY post_author ORDER BY NULL;

SELECT SQL_SMALL_RESULT kind, SUM(bytes) total FROM media GROUP BY 1 ORDER BY 2 DESC;

SELECT MAX(score) AS best FROM replies HAVING best > 100;

SELECT * FROM wp_options HAVING LENGTH(option_value) > 10000;

SELECT option_id, option_name FROM wp_options WHERE autoload = 'yes' LIMIT 5, 18446744073709551615;

SELECT u.user_login, p.post_title FROM wp_users AS u, wp_posts AS p, wp_term_relationships AS tr, wp_term_taxonomy AS tt, wp_terms AS t
WHERE u.ID = p.post_author AND p.ID = tr.object_id AND tr.term_taxonomy_id = tt.term_taxonomy_id AND tt.term_id = t.term_id AND t.slug = 'tomatoes';

SELECT ID, post_title FROM wp_posts WHERE post_date > date_sub(now(), interval 30 day) && post_status = 'publish' ORDER BY FIND_IN_SET(ID, '8,3,5');

SELECT LAST_INSERT_ID(), @cnt, @max_id + 1 AS next_id, @`odd name`, @'quoted';

SELECT DISTINCTROW user_id FROM votes WHERE value;

select straight_join t.id from `groups` g straight_join Threads t on (t.group_id = g.id) where g.`rank` < 10 group by t.id order by null;

SELECT user_id, @prev AS previous, @prev := created_at AS cur FROM replies, (SELECT @prev := NULL) v WHERE thread_id = 9 ORDER BY created_at;

SELECT s1.meta_value, COUNT(*) AS n
FROM wp_usermeta s1
WHERE s1.meta_key = "country"
GROUP BY s1.meta_value
ORDER BY n DESC, s1.meta_value LIMIT 10;

SELECT id, path INTO OUTFILE '/tmp/media.csv' FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\n' FROM media WHERE kind = 'image';

SELECT body FROM revisions WHERE id = 9 INTO DUMPFILE '/tmp/body.txt';

SELECT CONCAT(user_login, '@', 'forum') INTO @addr FROM wp_users WHERE ID = 1 LIMIT 1;

LOAD DATA LOCAL INFILE '/var/imports/stats.tsv' INTO TABLE PageStats
FIELDS TERMINATED BY '\t' LINES TERMINATED BY '\n' IGNORE 1 LINES
(pageId, statDay, `hour`, hits, @u)
SET uniques = NULLIF(@u, '');

LOAD DATA INFILE 'terms.csv' REPLACE INTO TABLE wp_terms CHARACTER SET utf8mb4 FIELDS TERMINATED BY ';' ENCLOSED BY '"' ESCAPED BY '\\' (name, slug, term_group);

SELECT /*! STRAIGHT_JOIN */ /*!40001 SQL_NO_CACHE */ g.id FROM `groups` g WHERE g.id > 1;

SELECT t.* FROM Threads t USE INDEX () WHERE t.group_id = 3 ORDER BY t.last_reply_at DESC;

SELECT COUNT(*) c, LEFT(user_registered, 7) AS mon FROM wp_users GROUP BY mon HAVING c > 3 AND mon >= '2024-01' ORDER BY mon;

SELECT r.id, r.score, r.score - @avg AS diff FROM replies r, (SELECT @avg := AVG(score) FROM replies) a WHERE ABS(r.score - @avg) > 10;

SELECT # posts without a thumbnail
  ID FROM wp_posts LEFT JOIN wp_postmeta ON post_id = ID AND meta_key = '_thumbnail_id' WHERE meta_id IS NULL;

SELECT post_id, COUNT(*) FROM wp_postmeta # all keys
WHERE meta_key NOT LIKE '\_%' -- only visible ones
GROUP BY post_id /* one row a post */ ORDER BY COUNT(*) DESC;

DO RELEASE_LOCK('nightly');

HANDLER wp_options OPEN AS h;

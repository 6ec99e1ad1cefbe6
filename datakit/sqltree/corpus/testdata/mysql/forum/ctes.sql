WITH recent AS (
  SELECT id, thread_id, user_id FROM replies WHERE created_at > NOW() - INTERVAL 1 DAY
)
SELECT t.title, COUNT(*) AS n
FROM recent
JOIN Threads t ON t.id = recent.thread_id
GROUP BY t.id, t.title
ORDER BY n DESC;

WITH RECURSIVE tree AS (
  SELECT id, name, parent_id, 0 AS depth, CAST(name AS CHAR(1000)) AS path
  FROM `groups`
  WHERE parent_id IS NULL
  UNION ALL
  SELECT g.id, g.name, g.parent_id, tree.depth + 1, CONCAT(tree.path, ' / ', g.name)
  FROM `groups` g
  JOIN tree ON tree.id = g.parent_id
)
SELECT CONCAT(REPEAT('  ', depth), name) AS outline, path FROM tree ORDER BY path;

WITH RECURSIVE days (d) AS (
  SELECT DATE('2025-01-01')
  UNION ALL
  SELECT d + INTERVAL 1 DAY FROM days WHERE d < '2025-01-31'
)
SELECT days.d, COALESCE(SUM(s.hits), 0) AS hits
FROM days
LEFT JOIN PageStats s ON s.statDay = days.d
GROUP BY days.d
ORDER BY days.d;

WITH a AS (SELECT user_id, COUNT(*) AS c FROM replies GROUP BY user_id),
     b AS (SELECT user_id, SUM(value) AS given FROM votes GROUP BY user_id),
     c AS (SELECT a.user_id, a.c, b.given FROM a LEFT JOIN b ON b.user_id = a.user_id)
SELECT u.user_login, c.c AS replies, c.given
FROM c
JOIN wp_users u ON u.ID = c.user_id
WHERE c.c >= 10;

/* the CTE shadows the table */
WITH replies AS (SELECT * FROM replies WHERE deleted_at IS NULL)
SELECT thread_id, COUNT(*) FROM replies GROUP BY thread_id;

WITH votes (who, points) AS (SELECT r.user_id, SUM(v.value) FROM votes v JOIN replies r ON r.id = v.reply_id GROUP BY r.user_id)
SELECT who, points FROM votes WHERE points > 0 ORDER BY points DESC;

WITH RECURSIVE ancestors AS (
  SELECT id, parent_id, body, 1 AS lvl FROM replies WHERE id = ?
  UNION
  SELECT p.id, p.parent_id, p.body, lvl + 1 FROM replies p INNER JOIN ancestors a ON p.id = a.parent_id
)
SELECT id, lvl, LEFT(body, 80) AS teaser FROM ancestors ORDER BY lvl DESC;

WITH outer_cte AS (
  WITH inner_cte AS (SELECT post_author, post_date FROM wp_posts WHERE post_status = 'publish')
  SELECT post_author, MIN(post_date) AS first_post FROM inner_cte GROUP BY post_author
)
SELECT YEAR(first_post) AS y, COUNT(*) AS new_authors FROM outer_cte GROUP BY y WITH ROLLUP;

SELECT u.user_login, x.n
FROM wp_users u
JOIN (
  WITH q AS (SELECT starter_id, COUNT(*) AS n FROM Threads GROUP BY starter_id)
  SELECT * FROM q WHERE n > 1
) x ON x.starter_id = u.ID;

SELECT g.name, (
  WITH big AS (SELECT title, views FROM Threads WHERE views > 1000)
  SELECT COUNT(*) FROM big
) AS big_overall
FROM `groups` g;

WITH RECURSIVE seq AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM seq WHERE n < 23)
SELECT seq.n AS `hour`, IFNULL(AVG(ps.hits), 0) AS avg_hits
FROM seq LEFT JOIN PageStats ps ON ps.`hour` = seq.n AND ps.statDay >= CURDATE() - INTERVAL 30 DAY
GROUP BY seq.n;

INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
WITH counted AS (SELECT post_id, COUNT(*) AS n FROM revisions GROUP BY post_id)
SELECT post_id, '_revision_count', n FROM counted WHERE n > 1;

with m as (select month, `page id` p, `total hits` h from `Monthly-Stats`)
select cur.p, cur.month, cur.h, prev.h as prev_h
from m cur left join m prev on prev.p = cur.p and prev.month = date_format(str_to_date(concat(cur.month, '-01'), '%Y-%m-%d') - interval 1 month, '%Y-%m');

WITH RECURSIVE members AS (
  SELECT gu.user_id, gu.group_id FROM group_user gu WHERE gu.group_id = 5
  UNION DISTINCT
  SELECT gu.user_id, gu.group_id
  FROM members m
  JOIN `groups` g ON g.parent_id = m.group_id
  JOIN group_user gu ON gu.group_id = g.id
)
SELECT COUNT(DISTINCT user_id) AS reach FROM members;

WITH ranked AS (
  SELECT r.*, ROW_NUMBER() OVER (PARTITION BY r.thread_id ORDER BY r.score DESC, r.id) AS rn
  FROM replies r
)
SELECT ranked.thread_id, ranked.id, ranked.body FROM ranked WHERE ranked.rn = 1;

WITH first_seen AS (
  SELECT ID AS user_id, DATE_FORMAT(user_registered, '%Y-%m-01') AS cohort FROM wp_users
), activity AS (
  SELECT DISTINCT user_id, DATE_FORMAT(created_at, '%Y-%m-01') AS active_month FROM replies
)
SELECT f.cohort, PERIOD_DIFF(EXTRACT(YEAR_MONTH FROM a.active_month), EXTRACT(YEAR_MONTH FROM f.cohort)) AS month_no, COUNT(DISTINCT a.user_id) AS active
FROM first_seen f
JOIN activity a USING (user_id)
GROUP BY f.cohort, month_no
ORDER BY f.cohort, month_no;

WITH t AS (SELECT 1 AS x), u AS (SELECT x + 1 AS y FROM t), v AS (SELECT x, y FROM t, u)
SELECT v.x, v.y, t.x FROM v, t;

WITH RECURSIVE fib (n, a, b) AS (
  SELECT 1, CAST(0 AS SIGNED), CAST(1 AS SIGNED)
  UNION ALL
  SELECT n + 1, b, a + b FROM fib WHERE n < 30
) SELECT n, a FROM fib;

WITH dup AS (
  SELECT LOWER(user_email) AS mail, COUNT(*) AS c, MIN(ID) AS keep_id
  FROM wp_users GROUP BY LOWER(user_email) HAVING COUNT(*) > 1
)
SELECT u.ID, u.user_email, dup.keep_id
FROM wp_users u JOIN dup ON dup.mail = LOWER(u.user_email) AND u.ID <> dup.keep_id;

WITH paid AS (SELECT * FROM `order` WHERE status = 'paid'),
     refunded AS (SELECT * FROM `order` WHERE status = 'refunded')
SELECT 'paid' AS kind, COUNT(*) AS n, SUM(total) AS amount FROM paid
UNION ALL
SELECT 'refunded', COUNT(*), -SUM(total) FROM refunded
ORDER BY kind;

WITH RECURSIVE cat AS (
  SELECT tt.term_id, tt.parent, t.name, t.slug AS full_slug
  FROM wp_term_taxonomy tt JOIN wp_terms t ON t.term_id = tt.term_id
  WHERE tt.taxonomy = 'category' AND tt.parent = 0
  UNION ALL
  SELECT tt.term_id, tt.parent, t.name, CONCAT_WS('/', cat.full_slug, t.slug)
  FROM wp_term_taxonomy tt
  JOIN wp_terms t USING (term_id)
  JOIN cat ON cat.term_id = tt.parent
  WHERE tt.taxonomy = 'category'
)
SELECT * FROM cat ORDER BY full_slug;

WITH `order` AS (SELECT id, user_id AS buyer FROM `order` WHERE currency = 'USD')
SELECT `order`.buyer, COUNT(*) FROM `order` GROUP BY buyer;

WITH x AS (SELECT id FROM Threads WHERE pinned), y AS (SELECT id FROM Threads WHERE is_locked)
SELECT id FROM x WHERE id NOT IN (SELECT id FROM y) UNION SELECT y.id FROM y WHERE NOT EXISTS (SELECT 1 FROM x WHERE x.id = y.id);

with gaps as (
	select user_id, created_at, lag(created_at) over (partition by user_id order by created_at) as prev_at
	from replies
), flagged as (
	select gaps.*, if(prev_at is null or timestampdiff(minute, prev_at, created_at) > 30, 1, 0) as is_new
	from gaps
), numbered as (
	select f.*, sum(is_new) over (partition by user_id order by created_at) as session_no
	from flagged f
)
select user_id, session_no, min(created_at) as started, max(created_at) as ended, count(*) as replies
from numbered
group by user_id, session_no;

WITH RECURSIVE r (id, root) AS (
  SELECT id, id FROM replies WHERE parent_id IS NULL AND thread_id = 3
  UNION ALL
  SELECT c.id, r.root FROM replies AS c, r WHERE c.parent_id = r.id
)
SELECT root, COUNT(*) - 1 AS descendants FROM r GROUP BY root ORDER BY descendants DESC;

WITH limits AS (SELECT CAST(option_value AS UNSIGNED) AS max_links FROM wp_options WHERE option_name = 'comment_max_links')
SELECT c.comment_ID FROM wp_comments c CROSS JOIN limits
WHERE (LENGTH(c.comment_content) - LENGTH(REPLACE(c.comment_content, 'http', ''))) / 4 > limits.max_links;

WITH RECURSIVE numbers AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM numbers WHERE i < 20)
SELECT p.ID, SUBSTRING_INDEX(SUBSTRING_INDEX(p.post_excerpt, ',', numbers.i), ',', -1) AS keyword
FROM wp_posts p
JOIN numbers ON numbers.i <= 1 + LENGTH(p.post_excerpt) - LENGTH(REPLACE(p.post_excerpt, ',', ''));

WITH e AS (SELECT actor_id, action, COUNT(*) n FROM moderation_log GROUP BY actor_id, action)
SELECT actor_id, GROUP_CONCAT(action, ':', n ORDER BY n DESC SEPARATOR '; ') AS profile FROM e GROUP BY actor_id;

WITH stale AS (SELECT id FROM Threads WHERE last_reply_at < NOW() - INTERVAL 2 YEAR)
SELECT (SELECT COUNT(*) FROM stale) AS stale_threads, (SELECT COUNT(*) FROM Threads WHERE id NOT IN (SELECT id FROM stale)) AS live_threads;

WITH RECURSIVE inherited AS (
  SELECT g.id AS group_id, g.id AS from_id, g.parent_id FROM `groups` g
  UNION ALL
  SELECT i.group_id, g.id, g.parent_id FROM inherited i JOIN `groups` g ON g.id = i.parent_id
), effective AS (
  SELECT i.group_id, pg.permission_id, MAX(pg.`grant`) AS allowed
  FROM inherited i
  JOIN permission_grants pg ON pg.grantee_type = 'group' AND pg.grantee_id = i.from_id
  GROUP BY i.group_id, pg.permission_id
)
SELECT gu.user_id, p.`key`
FROM effective e
JOIN group_user gu ON gu.group_id = e.group_id
JOIN permissions p ON p.id = e.permission_id
WHERE e.allowed = 1;

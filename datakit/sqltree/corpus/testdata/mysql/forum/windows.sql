SELECT id, thread_id, created_at, ROW_NUMBER() OVER (PARTITION BY thread_id ORDER BY created_at, id) AS floor_no
FROM replies;

SELECT statDay, SUM(hits) AS hits, SUM(SUM(hits)) OVER (ORDER BY statDay ROWS UNBOUNDED PRECEDING) AS running
FROM PageStats
GROUP BY statDay;

SELECT pageId, statDay, hits,
       AVG(hits) OVER (PARTITION BY pageId ORDER BY statDay ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS avg7
FROM PageStats;

SELECT user_id, total, RANK() OVER w AS r, DENSE_RANK() OVER w AS dr, PERCENT_RANK() OVER w AS pr, CUME_DIST() OVER w AS cd
FROM `order`
WINDOW w AS (PARTITION BY currency ORDER BY total DESC);

SELECT u.display_name, r.n, NTILE(4) OVER (ORDER BY r.n DESC) AS quartile
FROM (SELECT user_id, COUNT(*) AS n FROM replies GROUP BY user_id) r
JOIN wp_users u ON u.ID = r.user_id;

SELECT post_id, rev_no, body_length,
       body_length - LAG(body_length, 1, 0) OVER (PARTITION BY post_id ORDER BY rev_no) AS delta,
       LEAD(created_at) OVER (PARTITION BY post_id ORDER BY rev_no) AS replaced_at
FROM revisions;

SELECT *
FROM (
  SELECT t.id, t.title, t.group_id, t.views, RANK() OVER (PARTITION BY t.group_id ORDER BY t.views DESC) AS place
  FROM Threads t
) ranked
WHERE place <= 5
ORDER BY group_id, place;

SELECT DISTINCT thread_id,
  FIRST_VALUE(user_id) OVER (PARTITION BY thread_id ORDER BY created_at) AS first_responder,
  LAST_VALUE(user_id) OVER (PARTITION BY thread_id ORDER BY created_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last_responder,
  NTH_VALUE(user_id, 2) OVER (PARTITION BY thread_id ORDER BY created_at) AS second_responder
FROM replies;

select o.id, o.placed_at, o.total, sum(o.total) over (partition by o.user_id order by o.placed_at, o.id) as lifetime
from `order` o where o.status <> 'cart';

SELECT sku, SUM(qty) AS sold, ROUND(100 * SUM(qty) / SUM(SUM(qty)) OVER (), 2) AS share
FROM orderItems GROUP BY sku ORDER BY share DESC;

SELECT id, score, COUNT(*) OVER () AS total_rows, COUNT(*) OVER (PARTITION BY score) AS same_score FROM replies LIMIT 20;

SELECT user_id, created_at,
       DATE_SUB(DATE(created_at), INTERVAL ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY created_at) DAY) AS island
FROM (SELECT DISTINCT user_id, DATE(created_at) AS created_at FROM replies) AS d;

SELECT id, bytes, SUM(bytes) OVER (ORDER BY id RANGE BETWEEN 100 PRECEDING AND 100 FOLLOWING) AS nearby FROM media;

SELECT g.name, t.title, t.views, MAX(t.views) OVER g_win AS best, t.views / NULLIF(SUM(t.views) OVER g_win, 0) AS share
FROM Threads AS t JOIN `groups` AS g ON g.id = t.group_id
WINDOW g_win AS (PARTITION BY t.group_id)
ORDER BY g.name, share DESC;

SELECT p.ID, p.post_author, p.post_date, DATEDIFF(p.post_date, LAG(p.post_date) OVER a) AS days_since_last
FROM wp_posts p
WHERE p.post_status = 'publish'
WINDOW a AS (PARTITION BY p.post_author ORDER BY p.post_date);

SELECT id, STDDEV_SAMP(score) OVER (PARTITION BY thread_id) AS sd, VARIANCE(score) OVER (PARTITION BY user_id) AS v FROM replies WHERE score <> 0;

SELECT pageId, `hour`, hits, hits > AVG(hits) OVER (PARTITION BY pageId) AS above FROM PageStats WHERE statDay = '2025-02-28' ORDER BY above DESC, pageId;

SELECT user_id, thread_id, BIT_OR(score > 0) OVER (PARTITION BY user_id) AS any_liked FROM replies;

SELECT grp.slug, grp.n,
  SUM(grp.n) OVER (ORDER BY grp.n DESC, grp.slug) / SUM(grp.n) OVER () AS cum_share
FROM (SELECT g.slug, COUNT(*) AS n FROM `groups` g JOIN group_user gu ON gu.group_id = g.id GROUP BY g.slug) AS grp;

SELECT actor_id, action, created_at
FROM (
  SELECT l.*, ROW_NUMBER() OVER (PARTITION BY actor_id, action ORDER BY created_at DESC) AS `row`
  FROM moderation_log l
) x
WHERE x.`row` = 1;

SELECT YEAR(placed_at) AS y, MONTH(placed_at) AS m, SUM(total) AS amount,
       LAG(SUM(total), 12) OVER (ORDER BY YEAR(placed_at), MONTH(placed_at)) AS year_before
FROM `order`
GROUP BY y, m;

SELECT id, title, views FROM (SELECT id, title, views, PERCENT_RANK() OVER (ORDER BY views) AS pr FROM Threads) q WHERE pr BETWEEN 0.45 AND 0.55;

SELECT w1.user_id, w1.total, ROW_NUMBER() OVER (w) AS rn, SUM(w1.total) OVER (w ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS around
FROM `order` w1
WINDOW w AS (PARTITION BY w1.user_id ORDER BY w1.placed_at);

SELECT COUNT(*) AS dup_rows FROM (
  SELECT ROW_NUMBER() OVER (PARTITION BY post_id, meta_key, MD5(meta_value) ORDER BY meta_id) AS copy FROM wp_postmeta
) AS c WHERE copy > 1;

SELECT joined_at, role, COUNT(*) OVER (ORDER BY joined_at RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS members_then
FROM group_user
WHERE group_id = ?
ORDER BY joined_at;

SELECT r.user_id, SUM(CASE WHEN r.score > 0 THEN 1 ELSE 0 END) AS liked, RANK() OVER (ORDER BY SUM(CASE WHEN r.score > 0 THEN 1 ELSE 0 END) DESC) AS `rank`
FROM replies r GROUP BY r.user_id HAVING liked > 0 ORDER BY `rank` LIMIT 100;

SELECT u.ID, COALESCE(SUM(o.total), 0) AS spent, NTILE(10) OVER (ORDER BY COALESCE(SUM(o.total), 0)) AS decile
FROM wp_users u LEFT JOIN `order` o ON o.user_id = u.ID AND o.status IN ('paid')
GROUP BY u.ID;

SELECT x.statDay, x.h, MIN(x.h) OVER (w ROWS 2 PRECEDING) AS lo3, MAX(x.h) OVER (w ROWS BETWEEN 2 FOLLOWING AND 4 FOLLOWING) AS hi
FROM (SELECT statDay, SUM(hits) AS h FROM PageStats PARTITION (p2024, pmax) GROUP BY statDay) AS x
WINDOW w AS (ORDER BY x.statDay);

SELECT id, (SELECT rn FROM (SELECT r2.id AS rid, ROW_NUMBER() OVER (ORDER BY r2.score DESC) AS rn FROM replies r2) z WHERE z.rid = r1.id) AS overall FROM replies r1 WHERE r1.thread_id = 6;

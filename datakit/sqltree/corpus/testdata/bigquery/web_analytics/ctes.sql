WITH first_visit AS (
  SELECT user_pseudo_id, MIN(DATE(started_at)) AS first_day
  FROM web.sessions
  GROUP BY user_pseudo_id
),
visits AS (
  SELECT s.user_pseudo_id, f.first_day, DATE_DIFF(DATE(s.started_at), f.first_day, WEEK(MONDAY)) AS week_no
  FROM web.sessions AS s
  JOIN first_visit AS f USING (user_pseudo_id)
)
SELECT DATE_TRUNC(first_day, WEEK(MONDAY)) AS cohort, week_no, COUNT(DISTINCT user_pseudo_id) AS users
FROM visits
GROUP BY cohort, week_no
ORDER BY cohort, week_no;

WITH RECURSIVE tree AS (
  SELECT account_id, account_name, 0 AS depth, [account_name] AS path
  FROM crm.accounts
  WHERE parent_account_id IS NULL
  UNION ALL
  SELECT a.account_id, a.account_name, t.depth + 1, ARRAY_CONCAT(t.path, [a.account_name])
  FROM crm.accounts AS a
  JOIN tree AS t ON a.parent_account_id = t.account_id
)
SELECT account_id, depth, ARRAY_TO_STRING(path, ' / ') AS full_path FROM tree;

WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 12)
SELECT DATE_ADD(DATE '2026-01-01', INTERVAL i - 1 MONTH) AS month_start FROM n;

with orders as (
  select user_id, sum(total) as spent from shop.orders group by user_id
), users as (
  select user_id, email from crm.users where country = 'FR'
)
select users.email, orders.spent from users left join orders on orders.user_id = users.user_id;

WITH funnel AS (
  SELECT
    session_id,
    MAX(IF(page.path LIKE '/product/%', 1, 0)) AS saw_product,
    MAX(IF(page.path = '/cart', 1, 0)) AS saw_cart,
    MAX(IF(hit_type = 'TRANSACTION', 1, 0)) AS bought
  FROM web.hits
  GROUP BY session_id
)
SELECT SUM(saw_product) AS product, SUM(saw_cart) AS cart, SUM(bought) AS bought, ROUND(100 * SUM(bought) / SUM(saw_product), 2) AS pct
FROM funnel;

WITH a AS (
  WITH b AS (SELECT campaign_id, SUM(cost) AS cost FROM ads.daily_costs GROUP BY campaign_id)
  SELECT c.channel, b.cost FROM ads.campaigns AS c JOIN b USING (campaign_id)
)
SELECT a.channel, SUM(a.cost) AS total FROM a GROUP BY a.channel;

WITH t AS (SELECT [1, 2, 3] AS nums, STRUCT('x' AS label, 5 AS weight) AS meta)
SELECT n, t.meta.label, t.meta.weight * n AS score FROM t, UNNEST(t.nums) AS n;

WITH ranked AS (
  SELECT *, RANK() OVER (PARTITION BY campaign_id ORDER BY max_bid DESC) AS rk FROM ads.keywords
)
SELECT * EXCEPT (rk) FROM ranked WHERE rk = 1;

WITH dedup AS (
  SELECT ARRAY_AGG(s ORDER BY s.started_at DESC LIMIT 1)[OFFSET(0)] AS last_session
  FROM web.sessions AS s
  GROUP BY s.user_pseudo_id
)
SELECT last_session.session_id, last_session.device.os, last_session.geo.city
FROM dedup;

WITH params AS (SELECT DATE '2026-05-01' AS since, 'paid' AS wanted)
SELECT o.order_id
FROM shop.orders AS o CROSS JOIN params
WHERE DATE(o.ordered_at) >= params.since AND o.status = params.wanted;

WITH touch AS (
  SELECT user_id, traffic.source AS source, started_at,
    FIRST_VALUE(traffic.source IGNORE NULLS) OVER (PARTITION BY user_id ORDER BY started_at) AS first_source
  FROM web.sessions
  WHERE user_id IS NOT NULL
)
SELECT touch.first_source, COUNT(DISTINCT o.order_id) AS orders, SUM(o.total) AS revenue
FROM touch
JOIN shop.orders AS o ON o.user_id = touch.user_id AND o.ordered_at >= touch.started_at
GROUP BY 1;

WITH x AS (
  SELECT sku FROM shop.products
  EXCEPT DISTINCT
  SELECT l.sku FROM shop.orders AS o, o.lines AS l
)
SELECT COUNT(*) AS never_sold FROM x;

(SELECT user_id FROM shop.orders WHERE coupon IS NOT NULL)
INTERSECT DISTINCT
(SELECT user_id FROM crm.subscriptions WHERE cancelled_on IS NULL)
ORDER BY user_id;

WITH monthly AS (
  SELECT user_id, DATE_TRUNC(DATE(ordered_at), MONTH) AS m, SUM(total) AS amt
  FROM shop.orders GROUP BY user_id, m
)
SELECT cur.m, COUNT(*) AS kept
FROM monthly AS cur
JOIN monthly AS prev ON prev.user_id = cur.user_id AND prev.m = DATE_SUB(cur.m, INTERVAL 1 MONTH)
WHERE cur.amt >= prev.amt
GROUP BY cur.m;


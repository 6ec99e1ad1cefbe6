SELECT DATE_TRUNC(DATE(ordered_at), MONTH) AS month, SUM(total) AS revenue, COUNT(*) AS orders
FROM shop.orders
WHERE status IN ('paid', 'shipped')
GROUP BY month
ORDER BY month;

SELECT c.campaign_name, c.channel, SUM(d.cost) AS cost, SUM(d.clicks) AS clicks,
       SAFE_DIVIDE(SUM(d.clicks), SUM(d.impressions)) AS ctr,
       SUM(d.cost) / NULLIF(SUM(d.clicks), 0) AS cpc
FROM `acme-prod.ads.campaigns` AS c
JOIN `acme-prod.ads.daily_costs` AS d ON d.campaign_id = c.campaign_id
WHERE d.cost_date BETWEEN DATE '2026-01-01' AND DATE '2026-03-31'
GROUP BY c.campaign_name, c.channel
ORDER BY cost DESC
LIMIT 25;

SELECT channel, day, sessions, SUM(sessions) OVER w AS running, AVG(revenue) OVER (w ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week_avg
FROM mart.daily_traffic
WINDOW w AS (PARTITION BY channel ORDER BY day)
ORDER BY channel, day;

SELECT country, plan, COUNT(*) AS users, GROUPING(country) AS all_countries
FROM crm.users
GROUP BY ROLLUP(country, plan)
ORDER BY country, plan;

SELECT channel, EXTRACT(YEAR FROM day) AS year, SUM(revenue) AS revenue
FROM mart.daily_traffic
GROUP BY GROUPING SETS (channel, EXTRACT(YEAR FROM day), ());

SELECT section, author_id, SUM(word_count) AS words FROM mart.pages GROUP BY CUBE(section, author_id);

SELECT *
FROM (SELECT channel, EXTRACT(QUARTER FROM day) AS quarter, revenue FROM mart.daily_traffic)
PIVOT (SUM(revenue) AS rev, COUNT(*) AS days FOR quarter IN (1 AS q1, 2 AS q2, 3 AS q3, 4 AS q4));

SELECT kpi, month, amount
FROM mart.monthly_kpis
UNPIVOT (amount FOR month IN (jan, feb, mar, apr))
ORDER BY kpi;

SELECT u.kpi, u.half, u.first_month, u.second_month
FROM mart.monthly_kpis UNPIVOT INCLUDE NULLS ((first_month, second_month) FOR half IN ((jan, feb) AS 'early', (mar, apr) AS 'late')) AS u;

SELECT day, IFNULL(t.sessions, 0) AS sessions
FROM UNNEST(GENERATE_DATE_ARRAY('2026-01-01', '2026-12-31', INTERVAL 1 DAY)) AS day
LEFT JOIN mart.daily_traffic AS t USING (day)
ORDER BY day;

SELECT FORMAT_DATE('%A', session_date) AS weekday, device_category, COUNT(*) AS visits, ROUND(AVG(duration_sec) / 60, 1) AS minutes
FROM mart.v_sessions
WHERE session_date > DATE_SUB(CURRENT_DATE('Europe/Madrid'), INTERVAL 4 WEEK)
GROUP BY weekday, device_category;

-- revenue by line item
SELECT p.category, l.sku, SUM(l.quantity) AS units, SUM(l.quantity * l.unit_price) AS turnover
FROM shop.orders AS o
CROSS JOIN UNNEST(o.lines) AS l
LEFT JOIN shop.products AS p ON p.sku = l.sku
WHERE DATE(o.ordered_at) >= @from_date AND o.shipping_address.country = @country
GROUP BY p.category, l.sku
QUALIFY ROW_NUMBER() OVER (PARTITION BY p.category ORDER BY SUM(l.quantity) DESC) <= 3;

SELECT order_id, total FROM shop.orders WHERE user_id IN UNNEST(@user_ids) AND status = @status LIMIT 10;

SELECT plan, COUNTIF(cancelled_on IS NULL) AS active, SUM(IF(cancelled_on IS NULL, monthly_amount, 0)) AS mrr,
  COUNTIF(cancelled_on BETWEEN DATE_TRUNC(CURRENT_DATE(), MONTH) AND LAST_DAY(CURRENT_DATE(), MONTH)) AS churned
FROM crm.subscriptions GROUP BY plan;

SELECT ANY_VALUE(title HAVING MAX price) AS dearest, MAX(price) AS price, category
FROM shop.products
GROUP BY category;

SELECT medium, SUM(value) AS value FROM mart.v_medium_value WHERE session_date = '2026-02-14' GROUP BY medium ORDER BY value DESC NULLS LAST;

SELECT
  CASE
    WHEN lifetime_value >= 1000 THEN 'gold'
    WHEN lifetime_value >= 100 THEN 'silver'
    ELSE 'none'
  END AS tier,
  COUNT(*) AS people,
  LOGICAL_OR(orders > 50) AS has_heavy_buyer
FROM mart.v_user_value
GROUP BY tier
ORDER BY people;

SELECT DATE_DIFF(cancelled_on, started_on, MONTH) AS months_kept, COUNT(*) AS n, APPROX_COUNT_DISTINCT(user_id) AS people, STDDEV(monthly_amount) AS spread
FROM crm.subscriptions
WHERE cancelled_on IS NOT NULL
GROUP BY months_kept
HAVING n > 5
ORDER BY months_kept;

SELECT TIMESTAMP_TRUNC(started_at, HOUR, 'America/New_York') AS hr, EXTRACT(DAYOFWEEK FROM started_at AT TIME ZONE 'America/New_York') AS dow, COUNT(*) AS c
FROM web.sessions GROUP BY 1, 2;

SELECT 'sessions' AS what, COUNT(*) AS n FROM web.sessions
UNION ALL SELECT 'hits', COUNT(*) FROM web.hits
UNION ALL SELECT 'orders', COUNT(*) FROM shop.orders;

SELECT HLL_COUNT.MERGE(sketch) AS users FROM (SELECT HLL_COUNT.INIT(user_pseudo_id) AS sketch FROM web.sessions GROUP BY landing_page);

SELECT r.reason, SUM(r.amount) AS refunded, SUM(r.amount) / SUM(SUM(r.amount)) OVER () AS share
FROM shop.refunds AS r
GROUP BY r.reason
ORDER BY share DESC;


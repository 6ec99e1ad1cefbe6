FROM web.sessions
|> WHERE DATE(started_at) = '2026-03-03'
|> AGGREGATE COUNT(*) AS visits, COUNT(DISTINCT user_pseudo_id) AS people GROUP BY landing_page
|> ORDER BY visits DESC
|> LIMIT 20;

FROM shop.orders AS o
|> JOIN crm.users AS u ON u.user_id = o.user_id
|> WHERE o.status = 'paid' AND u.country = 'SE'
|> SELECT o.order_id, u.email, o.total
|> ORDER BY total DESC;

FROM ads.daily_costs
|> EXTEND cost / NULLIF(clicks, 0) AS cpc, EXTRACT(MONTH FROM cost_date) AS month
|> WHERE cpc > 2
|> AGGREGATE SUM(cost) AS cost, AVG(cpc) AS avg_cpc GROUP AND ORDER BY campaign_id, month DESC;

FROM shop.products
|> SET price = ROUND(price * 1.2, 2), title = UPPER(title)
|> DROP attributes, related
|> RENAME category AS product_group
|> WHERE product_group = 'shoes';

FROM mart.daily_traffic
|> AGGREGATE SUM(revenue) AS revenue GROUP BY channel
|> AS per_channel
|> LEFT JOIN ads.campaigns AS c ON c.channel = per_channel.channel
|> SELECT per_channel.channel, per_channel.revenue, c.campaign_name, c.budget;

SELECT user_id, total FROM shop.orders
|> WHERE total > 50
|> AGGREGATE SUM(total) AS spent GROUP BY user_id
|> WHERE spent > 500;

FROM web.sessions
|> EXTEND ROW_NUMBER() OVER (PARTITION BY user_pseudo_id ORDER BY started_at) AS visit_no
|> WHERE visit_no = 1
|> SELECT session_id, user_pseudo_id, traffic.source AS first_source;

FROM crm.users
|> SELECT country, plan
|> DISTINCT
|> ORDER BY country, plan;

FROM mart.daily_traffic
|> SELECT channel, sessions, EXTRACT(QUARTER FROM day) AS q
|> PIVOT (SUM(sessions) FOR q IN (1 AS q1, 2 AS q2, 3 AS q3, 4 AS q4))
|> WHERE q1 > q4;

FROM mart.monthly_kpis
|> UNPIVOT (amount FOR month IN (jan, feb, mar, apr))
|> AGGREGATE AVG(amount) AS mean GROUP BY kpi;

FROM shop.orders
|> SELECT order_id AS id, 'order' AS kind
|> UNION ALL (SELECT refund_id, 'refund' FROM shop.refunds), (SELECT subscription_id, 'subscription' FROM crm.subscriptions)
|> AGGREGATE COUNT(*) AS n GROUP BY kind;

WITH big AS (FROM shop.orders |> WHERE total > 1000)
FROM big
|> AGGREGATE COUNT(*) AS big_orders, MAX(total) AS biggest;

FROM web.hits AS h
|> CROSS JOIN UNNEST(h.items) AS i
|> AGGREGATE SUM(i.quantity) AS qty, ANY_VALUE(i.name) AS name GROUP BY i.sku
|> ORDER BY qty DESC
|> LIMIT 5 OFFSET 5;

FROM web.hits |> TABLESAMPLE SYSTEM (1 PERCENT) |> AGGREGATE COUNT(*) AS n;

FROM crm.subscriptions
|> WHERE cancelled_on IS NULL
|> AGGREGATE SUM(monthly_amount) AS mrr, COUNT(*) AS subs GROUP BY plan
|> EXTEND mrr / SUM(mrr) OVER () AS share
|> JOIN (SELECT plan, COUNT(*) AS registered FROM crm.users GROUP BY plan) USING (plan);

SELECT p.title, top.units
FROM shop.products AS p
JOIN (FROM shop.orders |> CROSS JOIN UNNEST(lines) AS l |> AGGREGATE SUM(l.quantity) AS units GROUP BY l.sku |> ORDER BY units DESC |> LIMIT 10) AS top
ON top.sku = p.sku;


SELECT sku, name, price FROM web.hits, UNNEST(items) WHERE hit_type = 'ITEM' AND quantity > 1;

SELECT h.hit_id, i.sku, p.key FROM web.hits AS h, h.items AS i, h.params AS p WHERE p.value.int_value = i.quantity;

SELECT tag, offset FROM web.hits, UNNEST(tags) AS tag WITH OFFSET ORDER BY offset;

SELECT o.order_id, o.lines[0].sku AS first_sku, o.lines[SAFE_OFFSET(1)].unit_price AS second_price FROM shop.orders AS o;

SELECT u.user_id, (SELECT AS STRUCT s.session_id, s.started_at FROM web.sessions AS s WHERE s.user_id = u.user_id ORDER BY s.started_at DESC LIMIT 1).started_at AS last_seen
FROM crm.users AS u;

SELECT sku FROM shop.products WHERE (sku, category) IN (SELECT (l.sku, 'shoes') FROM shop.orders AS o, o.lines AS l);

SELECT campaign_id, cost_date FROM ads.daily_costs WHERE (campaign_id, currency) IN UNNEST([(1, 'EUR'), (2, 'USD')]);

SELECT order_id, _CHANGE_TYPE AS change_type, _CHANGE_TIMESTAMP AS changed_at FROM APPENDS(TABLE shop.orders, NULL, NULL);

SELECT * FROM ML.FORECAST(MODEL `acme-prod.mart.traffic_model`, STRUCT(30 AS horizon, 0.9 AS confidence_level));

SELECT f.order_id, f.total, u.email FROM mart.orders_of(17) AS f CROSS JOIN crm.users AS u WHERE u.user_id = 17;

SELECT ext.id, o.total FROM EXTERNAL_QUERY('acme-prod.eu.erp', '''SELECT id, state FROM erp_orders WHERE state = 'open' ''') AS ext JOIN shop.orders AS o ON o.order_id = ext.id;

SELECT channel, ROUND(SUM(revenue), 0) AS revenue FROM mart.daily_traffic GROUP BY channel HAVING SUM(conversions) > 10 ORDER BY ABS(revenue) DESC, UPPER(channel);

SELECT t.channel, t.revenue - other.revenue AS diff
FROM (SELECT channel, SUM(revenue) AS revenue FROM mart.daily_traffic GROUP BY channel) t
CROSS JOIN (SELECT AVG(revenue) AS revenue FROM mart.daily_traffic) other;

SELECT c.* EXCEPT (labels, budget), d.* EXCEPT (campaign_id), ROW_NUMBER() OVER () AS rn
FROM ads.campaigns AS c JOIN ads.daily_costs AS d ON d.campaign_id = c.campaign_id;

SELECT email email_address, plan `the plan` FROM crm.users users WHERE users.plan IS NOT NULL ORDER BY `the plan`;

SELECT session_id FROM web.sessions WHERE device.browser.name IN ('Chrome', 'Edge') AND (traffic).medium = 'cpc' AND COALESCE(geo.city, geo.region) IS NOT NULL;

FROM shop.orders
|> WHERE EXISTS (SELECT 1 FROM shop.refunds AS r WHERE r.order_id = orders.order_id)
|> SELECT * EXCEPT (lines, shipping_address)
|> ORDER BY ordered_at DESC;

FROM shop.orders
|> WHERE user_id IN (FROM crm.subscriptions |> WHERE cancelled_on IS NOT NULL |> SELECT user_id)
|> AGGREGATE COUNT(*) AS n, SUM(total) AS total GROUP BY DATE(ordered_at) AS order_day
|> EXTEND SUM(total) OVER (ORDER BY order_day) AS running
|> SELECT order_day, n, running;

FROM ads.keywords AS k
|> AGGREGATE GROUP BY campaign_id, match_type
|> LEFT JOIN ads.campaigns AS c USING (campaign_id)
|> WHERE c.campaign_name IS NULL;

FROM crm.users
|> EXTEND LOWER(email) AS email_key
|> JOIN (FROM crm.users |> SELECT user_id AS other_id, LOWER(email) AS email_key) AS dup USING (email_key)
|> WHERE user_id < dup.other_id;

CREATE OR REPLACE TABLE mart.page_views AS
FROM web.hits
|> WHERE hit_type = 'PAGE'
|> AGGREGATE COUNT(*) AS views GROUP BY page.path AS page_path;

INSERT INTO mart.pages (page_path, title)
SELECT h.page.path, ANY_VALUE(h.page.title) FROM web.hits AS h LEFT JOIN mart.pages AS p ON p.page_path = h.page.path WHERE p.page_path IS NULL GROUP BY h.page.path;

UPDATE mart.pages AS p SET section = n.section, word_count = n.words FROM UNNEST([STRUCT('/a' AS path, 'news' AS section, 300 AS words)]) AS n WHERE n.path = p.page_path;

UPDATE crm.users AS u SET plan = 'gold', addresses = ARRAY_CONCAT(u.addresses, [STRUCT('office' AS kind, 'Lyon' AS city, '69001' AS postcode)]) FROM (SELECT user_id, SUM(total) AS spent FROM shop.orders GROUP BY user_id) AS s WHERE s.user_id = u.user_id AND s.spent > 5000;

WITH lines AS (SELECT o.order_id, l.* FROM shop.orders AS o, UNNEST(o.lines) AS l)
SELECT lines.order_id, lines.sku, SUM(lines.quantity * lines.unit_price) AS amount FROM lines GROUP BY lines.order_id, lines.sku;

WITH session_struct AS (SELECT s.session_id, STRUCT(s.device.category AS cat, s.geo.country AS country) AS dims FROM web.sessions AS s)
SELECT dims.cat, dims.country, COUNT(*) AS n FROM session_struct GROUP BY dims.cat, dims.country;

SELECT x.experiment_id, variant, ARRAY_LENGTH(x.variants) AS arms FROM mart.experiments AS x, x.variants AS variant WHERE x.started_on <= CURRENT_DATE();

SELECT kpi, [jan, feb, mar, apr] AS months, (SELECT MAX(m) FROM UNNEST([jan, feb, mar, apr]) AS m) AS best FROM mart.monthly_kpis;

SELECT s.session_id, h.cnt FROM web.sessions AS s LEFT JOIN (SELECT session_id, COUNT(*) AS cnt FROM web.hits GROUP BY session_id) AS h USING (session_id) WHERE session_id LIKE 'a%';

SELECT start_date + INTERVAL '1-2' YEAR TO MONTH AS review_on, EXTRACT(MONTH FROM JUSTIFY_DAYS(INTERVAL 65 DAY)) AS months FROM ads.campaigns;

SET last_day = (SELECT MAX(day) FROM mart.daily_traffic);

BEGIN TRANSACTION;


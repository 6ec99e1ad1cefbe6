SELECT ARRAY(SELECT AS STRUCT l.sku, l.quantity * l.unit_price AS amount FROM UNNEST(o.lines) AS l ORDER BY amount DESC) AS priced_lines, o.order_id
FROM shop.orders AS o;

SELECT AS STRUCT user_id, email, consent.marketing AS marketing FROM crm.users LIMIT 1;

SELECT AS VALUE STRUCT(campaign_id AS id, campaign_name AS label) FROM ads.campaigns;

SELECT v.id, v.label FROM (SELECT AS VALUE STRUCT(sku AS id, title AS label) FROM shop.products) AS v WHERE v.label LIKE 'A%';

SELECT STRUCT(1 AS a, 'x' AS b).b, [1, 2, 3][OFFSET(1)], ARRAY<STRING>['p', 'q'] AS letters, STRUCT<name STRING, n INT64>('z', 3) AS typed, ARRAY<INT64>[] AS nothing;

SELECT user_id, ARRAY(SELECT a.city FROM UNNEST(addresses) AS a WHERE a.kind = 'shipping') AS shipping_cities, addresses[SAFE_OFFSET(0)].postcode AS first_postcode
FROM crm.users;

SELECT u.*, (SELECT AS STRUCT MAX(o.total) AS best, COUNT(*) AS n FROM shop.orders AS o WHERE o.user_id = u.user_id) AS stats
FROM crm.users AS u;

SELECT * EXCEPT (raw, params) REPLACE (UPPER(hit_type) AS hit_type) FROM web.hits WHERE DATE(hit_at) = CURRENT_DATE();

SELECT s.* EXCEPT (device, geo, traffic, experiments), s.device.*, s.geo.city FROM web.sessions AS s;

SELECT campaign_name, label, ARRAY_LENGTH(labels) AS n, ARRAY_REVERSE(labels)[OFFSET(0)] AS last_label
FROM ads.campaigns, UNNEST(labels) AS label
WHERE label NOT IN ('test', 'old');

SELECT sku, dimensions.width * dimensions.height * dimensions.depth AS volume, dimensions
FROM shop.products
WHERE dimensions IS NOT NULL
ORDER BY volume DESC;

SELECT o.order_id, line_no + 1 AS line_no, line.sku, pr.title
FROM shop.orders AS o
LEFT JOIN UNNEST(o.lines) AS line WITH OFFSET AS line_no
LEFT JOIN shop.products AS pr ON pr.sku = line.sku
ORDER BY o.order_id, line_no;

SELECT category, ARRAY_AGG(DISTINCT title ORDER BY title) AS titles, ARRAY_CONCAT_AGG(related) AS all_related, COUNT(DISTINCT sku) AS n
FROM shop.products GROUP BY category;

SELECT TO_JSON_STRING(p) AS doc, TO_JSON(STRUCT(p.sku, p.price)) AS small_doc FROM shop.products AS p;

SELECT p.sku, p.attributes.color AS color, STRING(p.attributes.material) AS material, INT64(p.attributes.year) AS year, JSON_VALUE(p.attributes, '$."made in"') AS origin
FROM shop.products AS p
WHERE JSON_VALUE(attributes.color) = 'red' OR 'wool' IN UNNEST(JSON_VALUE_ARRAY(attributes, '$.fabrics'));

SELECT s.session_id, (SELECT STRING_AGG(CONCAT(x.id, '=', x.variant), ';' ORDER BY x.id) FROM UNNEST(s.experiments) AS x) AS exp
FROM web.sessions s
WHERE EXISTS (SELECT 1 FROM UNNEST(s.experiments) x JOIN mart.experiments m ON m.experiment_id = x.id WHERE m.ended_on IS NULL);

SELECT n, SQRT(n) AS root FROM UNNEST(GENERATE_ARRAY(0, 100, 5)) AS n WITH OFFSET AS i WHERE MOD(i, 2) = 0;

SELECT point.x, point.y FROM UNNEST([STRUCT(1 AS x, 2 AS y), STRUCT(3, 4)]) AS point;

SELECT x, y FROM UNNEST(ARRAY<STRUCT<x INT64, y STRING>>[(1, 'foo'), (3, 'bar')]);

SELECT ts, COUNT(s.session_id) AS live
FROM UNNEST(GENERATE_TIMESTAMP_ARRAY('2026-01-01 00:00:00+00', '2026-01-01 23:00:00+00', INTERVAL 1 HOUR)) AS ts
JOIN web.sessions AS s ON ts BETWEEN s.started_at AND s.ended_at
GROUP BY ts;

SELECT store_name, oh.opens, oh.closes, TIME_DIFF(oh.closes, oh.opens, MINUTE) AS minutes
FROM mart.store_locations AS sl, sl.opening_hours AS oh
WHERE oh.weekday BETWEEN 1 AND 5;

SELECT h.hit_id, h.params[OFFSET(0)].value.string_value AS first_param, h.items[SAFE_ORDINAL(2)].name AS second_item
FROM web.hits AS h
WHERE ARRAY_LENGTH(h.params) > 0 AND 'promo' IN UNNEST(h.tags);

SELECT sku, fields FROM shop.products, UNNEST(JSON_KEYS(attributes)) AS fields;

SELECT a.user_id, a.shipping_address.city, COUNT(*) AS c
FROM shop.orders AS a
GROUP BY a.user_id, a.shipping_address.city
HAVING c > 1 AND a.shipping_address.city IS NOT NULL;

SELECT CASE WHEN t.pair.l > t.pair.r THEN 'left' ELSE 'right' END AS side
FROM (SELECT STRUCT(clicks AS l, impressions AS r) AS pair FROM ads.daily_costs) AS t;


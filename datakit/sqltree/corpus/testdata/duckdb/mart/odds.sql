INSERT INTO mart.dim_store AS st (store_key, store_code)
VALUES (9, 'X9')
RETURNING dim_store.store_key,
    store_code;

UPDATE mart.dim_store AS st
SET city = 'Wien'
WHERE st.store_key = 1
RETURNING st.city, st.store_key;

UPDATE mart.dim_store st SET city = upper(st.city) RETURNING city;

DELETE FROM mart.dim_store st WHERE st.store_key < 0 RETURNING st.store_name;

MERGE INTO mart.dim_store AS st USING staging.stg_orders AS o ON st.store_code = o.store_code
WHEN NOT MATCHED THEN INSERT (store_key, store_code)
VALUES (o.order_id, o.store_code)
RETURNING st.store_key;

MERGE INTO mart.dim_promotion USING (SELECT DISTINCT coupon FROM staging.stg_orders) c ON dim_promotion.coupon = c.coupon
WHEN MATCHED AND dim_promotion.ends_on < current_date THEN UPDATE SET ends_on = current_date
WHEN MATCHED AND kind IS NULL THEN UPDATE SET kind = 'code'
WHEN NOT MATCHED BY TARGET AND c.coupon IS NOT NULL THEN INSERT (promotion_key, coupon) VALUES ((SELECT max(promotion_key) + 1 FROM mart.dim_promotion), c.coupon)
WHEN NOT MATCHED BY SOURCE THEN DELETE;

MERGE INTO run_log r
USING (SELECT 'm1' AS model) s ON r.model = s.model
WHEN MATCHED AND r.status = 'running' THEN ERROR;

WITH d AS (SELECT product_key FROM mart.dim_product WHERE discontinued_on < DATE '2020-01-01') DELETE FROM mart.fct_inventory USING d
WHERE fct_inventory.product_key = d.product_key;

WITH fresh AS (SELECT * FROM exchange_rates WHERE rate_date = current_date), n AS (SELECT count(*) AS c FROM fresh)
INSERT INTO run_log BY NAME SELECT 'rates' AS model, n.c AS rows_affected, CASE WHEN n.c > 0 THEN 'ok' ELSE 'error' END AS status FROM n;

INSERT INTO exchange_rates (currency, rate_date, rate_to_eur) SELECT currency, current_date, last(rate_to_eur ORDER BY rate_date) FROM exchange_rates GROUP BY currency ON CONFLICT (currency, rate_date) DO UPDATE SET rate_to_eur = (exchange_rates.rate_to_eur + excluded.rate_to_eur) / 2, source = 'avg';

INSERT INTO mart.fct_web_sessions
SELECT gen_random_uuid(),
    c.customer_key,
    now()::TIMESTAMP,
    '/',
    NULL,
    ['/'],
    false,
    NULL
FROM mart.current_customers c USING SAMPLE 10 ROWS;

CREATE TABLE mart.fct_sessions_by_day AS
SELECT started_at::DATE AS day, count(*) AS sessions, count(*) FILTER (converted) AS converted, list(DISTINCT referrer) AS referrers
FROM mart.fct_web_sessions
GROUP BY day
HAVING sessions > 0
ORDER BY day
LIMIT 1000;

CREATE OR REPLACE VIEW mart.flags AS (SELECT store_key, country IN ('DE', 'AT', 'CH') AS dach FROM mart.dim_store UNION ALL SELECT NULL, false);

CREATE VIEW mart.v_params (k, "Net €") AS FROM mart.fct_orders SELECT order_key, net_amount;

ALTER TABLE mart.fct_payments ADD PRIMARY KEY (payment_id);

ALTER TABLE mart.dim_store ALTER COLUMN country SET DEFAULT 'AT';

ALTER TABLE mart.dim_store ALTER floor_m2 TYPE DOUBLE USING floor_m2 * 1.0;

ALTER TABLE mart.fct_web_sessions RENAME TO web_sessions;

COMMENT ON VIEW latest_rates IS NULL;

SELECT * EXCLUDE (d.date_key, s.country)
FROM mart.dim_date d, mart.dim_store s
WHERE d.year = year(s.opened_on);

SELECT * NOT SIMILAR TO '.*_key' FROM mart.fct_payments;

SELECT o.* GLOB '*_at', o.* ILIKE 'ORDER%' FROM mart.fct_orders o;

FROM (PIVOT_LONGER "Budget Plan" ON "Q1", "Q2" INTO NAME quarter VALUE amount) q
SELECT q."Owner", sum(q.amount)
GROUP BY ALL;

WITH x AS (UNPIVOT "Budget Plan" ON COLUMNS('^Q') INTO NAME q VALUE v)
SELECT x."Cost Center",
    x.q,
    x.v
FROM x
WHERE x.v > (SELECT avg(v) FROM x);

SELECT "Owner",
    h1
FROM "Budget Plan" UNPIVOT (v FOR h1 IN (("Q1") AS 'first', ("Q2") AS 'second'))
GROUP BY "Owner", h1;

PIVOT (SELECT country, segment, customer_id FROM mart.dim_customer) AS src ON segment IN ('new', 'vip') USING count(DISTINCT customer_id) AS n,
    max(customer_id)
GROUP BY country;

SELECT piv.* EXCLUDE (currency)
FROM (PIVOT mart.fct_orders ON store_key IN (1, 2, 3) USING sum(net_amount) GROUP BY currency) piv
WHERE piv.currency = 'EUR';

SELECT p.new,
    p.vip
FROM mart.dim_customer PIVOT (count(*) FOR segment IN ('new', 'vip') GROUP BY country) p;

SELECT s.store_code,
    sum(s.revenue) AS "sum",
    max(s.revenue) "max",
    min(s.revenue) AS 'min'
FROM mart.sales s
GROUP BY s.store_code
ORDER BY "sum" DESC, "max";

SELECT mart.sales.revenue,
    sales.profit
FROM mart.sales
WHERE mart.sales.revenue > sales.profit;

SELECT s.store_key,
    (SELECT max(o.net_amount) FROM mart.fct_orders o WHERE o.store_key = s.store_key AND o.date_key IN (SELECT d.date_key FROM mart.dim_date d WHERE d.full_date > s.opened_on)) AS best
FROM mart.dim_store s;

SELECT year,
    month,
    count(*)
FROM mart.dim_date
GROUP BY year, month
HAVING bool_or(is_holiday)
ORDER BY year, month;

SELECT quarter,
    max(date_key)
FROM mart.dim_date
WHERE quarter = quarter(current_date)
GROUP BY quarter;

SELECT week AS w, week(full_date) = w AS same FROM mart.dim_date WHERE w = 1;

SELECT d.year::VARCHAR || '-' || lpad(d.month::VARCHAR, 2, '0') AS ym, ym < '2024-06' AS h1
FROM mart.dim_date d
WHERE ym LIKE '2024%'
GROUP BY ALL ORDER BY ym;

SELECT store_name
FROM mart.dim_store
WHERE hours.open BETWEEN TIME '06:00' AND TIME '09:00' AND (hours).close IS NOT NULL AND hours['close'] <> TIME '22:00';

SELECT x.h.open,
    x.h.close
FROM (SELECT hours AS h FROM mart.dim_store) x
WHERE x.h.open < x.h.close;

SELECT {'k': store_key, 'h': hours}.h.open AS o FROM mart.dim_store;

SELECT first(c ORDER BY c.valid_from DESC).full_name AS newest_name,
    c.country
FROM mart.dim_customer c
GROUP BY c.country;

SELECT lines[1].sku, lines[1]['qty'], (lines[1]).unit_price
FROM staging.stg_orders
WHERE lines[1].sku = 'A-1'
ORDER BY lines[1].qty;

SELECT o.lines[1].sku AS sku, stg_orders.order_id FROM staging.stg_orders, staging.stg_orders o WHERE o.order_id = stg_orders.order_id;

SELECT unnest(lines).sku AS sku, order_id FROM staging.stg_orders;

SELECT list_transform(lines, lambda line: line.sku || p.sku) AS skus
FROM staging.stg_products p
JOIN staging.stg_orders o ON true;

SELECT [l.qty * p.list_price for l in o.lines if l.sku = p.sku] AS amounts
FROM staging.stg_orders o, staging.stg_products p;

SELECT list_sum([l.qty for l in lines]) AS items,
    list_any_value([l.sku for l, i in lines if i > 1]) AS later
FROM staging.stg_orders
WHERE items > 3;

SELECT order_id,
    reduce([l.qty * l.unit_price for l in lines], lambda acc, v: acc + v, 0::DECIMAL(12, 2)) AS total
FROM staging.stg_orders
ORDER BY total;

SELECT body.items[1].sku,
    body['items'][0]['qty']
FROM staging.raw_events
WHERE body.type = 'order';

SELECT r.body.user.id,
    raw_events.headers['host']
FROM staging.raw_events r
JOIN staging.raw_events ON raw_events.id = r.id;

SELECT t.value->>'sku' AS sku, t.key FROM staging.raw_events e, LATERAL json_each(e.body, '$.items') t WHERE t.type = 'OBJECT';

SELECT j.path, j.id, e.id FROM staging.raw_events e CROSS JOIN json_tree(e.body) AS j;

SELECT ((response->'$.a')->>'$.b')::INT + 1 AS n,
    response ->> '$.c' = 'x' AS eq
FROM staging.stg_payments
WHERE (response ->> '$.c') IN ('x', 'y');

SELECT customer_key
FROM mart.fct_orders
WHERE ordered_at > ALL (SELECT started_at FROM mart.fct_web_sessions w WHERE w.customer_key = fct_orders.customer_key);

SELECT order_key
FROM mart.fct_orders
WHERE row(store_key, currency) NOT IN (SELECT row(store_key, 'EUR') FROM mart.dim_store);

FROM mart.fct_orders o LEFT JOIN mart.dim_customer c USING (customer_key), mart.dim_date d
SELECT o.order_key, c.full_name, customer_key, d.year
WHERE d.date_key = o.date_key;

SELECT customer_key,
    o.customer_key,
    w.customer_key
FROM mart.fct_orders o
LEFT JOIN mart.fct_web_sessions w USING (customer_key, order_key)
WHERE order_key IS NOT NULL;

SELECT *
FROM mart.fct_orders
JOIN mart.fct_order_lines USING (order_key)
JOIN mart.fct_payments USING (order_key)
JOIN mart.fct_inventory USING (store_key, product_key);

SELECT a.store_code FROM mart.dim_store a SEMI JOIN mart.sales b USING (store_code) WHERE a.country = 'DE';

SELECT country, city FROM mart.dim_store SEMI JOIN mart.dim_customer USING (country);

FROM mart.dim_product ANTI JOIN staging.stg_products USING (sku) SELECT sku;

WITH RECURSIVE months(m) AS (VALUES (DATE '2024-01-01') UNION ALL SELECT (m + INTERVAL 1 MONTH)::DATE FROM months WHERE m < DATE '2024-12-01'), filled AS (SELECT m, coalesce(sum(s.revenue), 0) AS r FROM months LEFT JOIN mart.sales s ON date_trunc('month', s.sale_date) = months.m GROUP BY m)
SELECT m, r, sum(r) OVER (ORDER BY m) AS cumulative FROM filled ORDER BY m;

WITH exchange_rates AS (SELECT 'EUR' AS currency, 1.0 AS rate)
SELECT e.currency,
    e.rate,
    m.rate_to_eur
FROM exchange_rates e
LEFT JOIN main.exchange_rates m USING (currency);

WITH mart AS (SELECT 1 AS dim_store)
SELECT mart.dim_store, s.store_key
FROM mart, mart.dim_store s;

SELECT mart.country FROM mart.dim_store AS mart;

SELECT generate_series AS n, chr(64 + generate_series::INT) AS letter
FROM generate_series(1, 5);

SELECT s.range::DATE AS d, dayname(s.range) FROM range(DATE '2024-01-01', DATE '2024-01-08', INTERVAL 1 DAY) s WHERE s.range NOT IN (SELECT full_date FROM mart.dim_date);

SELECT t.* FROM query_table(['country_codes']) t WHERE t.iso2 = 'AT';

SELECT col0 AS id, col1 AS label FROM (VALUES (1, 'x'), (2, 'y'));

SELECT "full_name"[:1] || '.' AS initial,
    "email".split_part('@', 2) AS host
FROM mart.dim_customer;

SELECT upper(c.country).lower() AS cc, c.full_name.split(' ')[1].upper() AS first_name
FROM mart.dim_customer c;

SELECT count(*) AS "count",
    sum(qty) AS "sum",
    "count" / "sum" AS ratio
FROM mart.fct_order_lines;

SELECT -qty AS neg, +unit_price AS pos, NOT returned AS kept, qty % 2 = 0 AND returned IS FALSE AS even_kept, 10! AS f
FROM mart.fct_order_lines;

SELECT user, current_role FROM mart.dim_store LIMIT 1;

SELECT xor(qty, line_no) AS x FROM mart.fct_order_lines;

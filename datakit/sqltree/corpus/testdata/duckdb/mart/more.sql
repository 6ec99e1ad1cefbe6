SELECT #2 AS second, #1 FROM mart.dim_promotion ORDER BY #1;

SELECT category, subcategory, count() AS n
FROM mart.dim_product
GROUP BY ALL HAVING n > 2
ORDER BY ALL DESC NULLS LAST;

SELECT sku, list_price AS cost, cost AS list_price
FROM mart.dim_product
WHERE cost > 5
ORDER BY list_price;

-- the column, not the alias, is what WHERE sees
SELECT upper(status::VARCHAR) AS status, order_key FROM mart.fct_orders WHERE status = 'placed'::order_state;

SELECT lower(city) AS city FROM mart.dim_store GROUP BY city ORDER BY city;

SELECT o.order_key AS k,
    k % 100 AS shard,
    shard < 50 AS first_half
FROM mart.fct_orders o
WHERE first_half
ORDER BY shard, k;

SELECT year AS y, sum(net_amount) AS s, s / 12 AS per_month
FROM mart.fct_orders
JOIN mart.dim_date USING (date_key)
GROUP BY y
HAVING per_month > 100
QUALIFY rank() OVER (ORDER BY s DESC) < 4;

SELECT *
FROM mart.dim_store AS s(k, code, title)
WHERE s.k > 1
  AND title LIKE 'B%'
  AND city IS NOT NULL;

SELECT c.customer_id,
    x.tag
FROM staging.stg_customers c
CROSS JOIN unnest(c.marketing_tags) AS x(tag);

SELECT c.customer_id,
    x.tag
FROM staging.stg_customers c
LEFT JOIN unnest(c.marketing_tags) x(tag) ON true
WHERE x.tag IS NULL;

SELECT order_id, l.sku FROM staging.stg_orders JOIN LATERAL (SELECT unnest(lines, recursive := true)) l ON l.qty > 1;

SELECT address.* EXCLUDE (geo) FROM staging.stg_customers;

SELECT customer_id,
    unnest(address)
FROM staging.stg_customers
WHERE address.city = 'Graz';

SELECT q.city,
    q.zip
FROM (SELECT unnest(address) FROM staging.stg_customers) q
WHERE q.zip LIKE '1%';

SELECT "address"."city",
    "stg_customers"."address"."geo"."lat"
FROM "staging"."stg_customers";

SELECT address.city FROM staging.stg_customers address;

SELECT customer_id FROM staging.stg_customers ORDER BY address.city, (address).zip DESC;

SELECT hours.open AS open,
    date_diff('hour', hours.open, hours.close) AS span
FROM mart.dim_store
GROUP BY hours
HAVING span > 8;

SELECT struct_extract(hours, 'open') = hours['open'] AS same,
    hours = {'open': TIME '09:00', 'close': TIME '18:00'} AS usual
FROM mart.dim_store;

SELECT product_key
FROM mart.dim_product
WHERE product_key = ANY (SELECT product_key FROM mart.fct_inventory) AND brand IN ['Acme', 'Zeta'] AND list_price = ANY ([1, 2, 3]);

SELECT unnest AS tag FROM unnest(['a', 'b']);

FROM unnest([{'x': 1, 'y': 'a'}, {'x': 2, 'y': 'b'}]) AS t(s) SELECT s.x, s.y, t.s;

SELECT order_key,
    net_amount
FROM mart.fct_orders
ORDER BY net_amount DESC
LIMIT (SELECT count(*) // 10 FROM mart.fct_orders) OFFSET 1 + 1;

SELECT TRY(ln(net_amount)) AS l,
    TRY_CAST(currency AS INTEGER) AS c,
    net_amount::DECIMAL(10, 1)::VARCHAR
FROM mart.fct_orders;

SELECT CAST(lines AS STRUCT(sku VARCHAR, qty BIGINT, unit_price DOUBLE, discount DOUBLE)[]) AS l, attributes::MAP(VARCHAR, VARCHAR) AS a
FROM staging.stg_orders, staging.stg_products;

SELECT email.lower().split('@')[2] AS domain, c.full_name.upper() AS loud FROM mart.dim_customer c;

SELECT product_name ~~ 'A%' AS l,
    product_name !~~ 'B%',
    product_name ~~* 'c%',
    product_name ^@ 'Pro',
    sku == 'X',
    sku != 'Y',
    2 ^ 3,
    list_price <> cost
FROM mart.dim_product;

SELECT list_transform(pages, pages -> pages || '/') AS slashed
FROM mart.fct_web_sessions;

SELECT session_id,
    list_transform(pages, lambda referrer: referrer = landing_page) AS hits
FROM mart.fct_web_sessions;

SELECT order_id,
    list_transform(lines, lambda l: list_transform([l.qty, 1], lambda q: q * l.unit_price)) AS nested
FROM staging.stg_orders;

SELECT list_filter(lines, lambda x: x.sku LIKE store_code || '%' AND x.qty > customer_id)
FROM staging.stg_orders;

SELECT o.order_id,
    list(l.sku ORDER BY l.qty DESC) FILTER (WHERE l.qty > 1) AS multi
FROM staging.stg_orders o, unnest(o.lines) u(l)
GROUP BY o.order_id;

WITH ranked(k, n) AS (SELECT store_key, row_number() OVER (ORDER BY floor_m2 DESC) FROM mart.dim_store)
SELECT s.store_name, r.n FROM mart.dim_store s JOIN ranked r ON r.k = s.store_key
UNION ALL
(WITH ranked AS (SELECT 'none' AS name, 0 AS n) SELECT name, n FROM ranked)
ORDER BY n;

SELECT sum(x)
FROM (WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 10) SELECT x FROM c);

WITH RECURSIVE bom AS (
    SELECT sku, category_path, len(category_path) AS lvl FROM staging.stg_products
    UNION ALL
    SELECT bom.sku, bom.category_path[:bom.lvl - 1], bom.lvl - 1 FROM bom WHERE bom.lvl > 1
)
SELECT category_path, count(DISTINCT sku) FROM bom GROUP BY category_path;

WITH a AS MATERIALIZED (SELECT 1 AS x),
    b(y) AS (SELECT x + 1 FROM a),
    c AS (FROM b SELECT y * 2 AS z)
SELECT a.x,
    b.y,
    c.z
FROM a, b, c;

SELECT DISTINCT ON (c.country) c.*,
    o.net_amount
FROM mart.dim_customer c
JOIN mart.fct_orders o USING (customer_key)
ORDER BY c.country, o.net_amount DESC;

SELECT ALL currency FROM mart.fct_orders;

SELECT o.*, o AS whole, o.net_amount AS net
FROM (FROM mart.fct_orders WHERE status = 'placed') o;

SELECT staging.stg_orders.order_id,
    mart.fct_orders.order_key
FROM staging.stg_orders
JOIN mart.fct_orders ON staging.stg_orders.order_id = mart.fct_orders.order_id;

SELECT memory.mart.dim_store.city FROM memory.mart.dim_store;

FROM mart.dim_product p
JOIN mart.fct_order_lines l ON l.product_key = p.product_key
SELECT p.brand, units: sum(l.qty)
WHERE p.brand IS NOT NULL
GROUP BY p.brand
HAVING units > 0
QUALIFY row_number() OVER (ORDER BY units DESC) < 10
ORDER BY units;

SELECT * FROM mart.fct_orders WHERE COLUMNS('_key$') IS NOT NULL;

SELECT *
FROM (SELECT * EXCLUDE (status) FROM mart.fct_orders)
ORDER BY COLUMNS('^order');

SELECT struct_pack(*COLUMNS('_key$')) AS keys,
    [*COLUMNS(['gross_amount', 'net_amount'])] AS amounts
FROM mart.fct_orders;

SELECT concat_ws(' ', *COLUMNS('first|last')) AS full_name FROM staging.stg_customers;

SELECT COLUMNS(* EXCLUDE (email, address, marketing_tags))::VARCHAR
FROM staging.stg_customers;

SELECT sum(amount) FILTER (method = 'card') OVER (PARTITION BY order_key) AS by_card,
    lag(amount IGNORE NULLS) OVER (ORDER BY payment_id)
FROM mart.fct_payments;

INSERT INTO mart.dim_promotion BY NAME (SELECT max(promotion_key) + 1 AS promotion_key, 'SUMMER' AS coupon, 10 AS percent_off FROM mart.dim_promotion)
RETURNING * EXCLUDE (kind);

INSERT INTO mart.dim_promotion AS pr (promotion_key, coupon) VALUES (1, 'X') RETURNING dim_promotion.promotion_key + 1 AS next_key, coupon;

UPDATE mart.dim_promotion
SET ends_on = starts_on + INTERVAL 1 MONTH,
    kind = upper(kind)
RETURNING promotion_key AS id,
    ends_on - starts_on AS days;

DELETE FROM mart.dim_promotion p
WHERE p.ends_on < current_date
  AND NOT EXISTS (SELECT 1 FROM mart.fct_orders WHERE fct_orders.promotion_key = p.promotion_key)
RETURNING p.*;

ALTER TABLE staging.stg_customers ADD COLUMN address.state VARCHAR;

ALTER TABLE staging.stg_customers RENAME COLUMN address.zip TO postcode;

ALTER TABLE staging.stg_customers DROP COLUMN address.geo;

CREATE OR REPLACE TEMP MACRO discounted(price, pct := 10.0) AS (price * (1 - pct / 100))::DECIMAL(12, 2);

CREATE MACRO shout(t VARCHAR, mark VARCHAR := '!') AS upper(t) || mark;

SELECT to_eur(amount := net_amount, rate := 1.1) AS eur FROM mart.fct_orders;

SHOW TABLES FROM mart;

SHOW DATABASES;

SELECT /* outer /* inner */ still a comment */ store_key FROM mart.dim_store;

SELECT order_key,
    CASE WHEN net_amount IS NULL THEN NULL WHEN net_amount > (SELECT avg(net_amount) FROM mart.fct_orders) THEN CASE currency WHEN 'EUR' THEN 'high eur' ELSE 'high' END ELSE 'low' END AS bucket
FROM mart.fct_orders;

SELECT s.store_key
FROM mart.dim_store s
WHERE (s.city, s.country) IN (SELECT (address.city, country) FROM staging.stg_customers);

SELECT t.year, t.month, t.n FROM (SELECT d.year, d.month, count(*) AS n FROM mart.dim_date d GROUP BY GROUPING SETS ((d.year, d.month), ())) AS t WHERE t.year IS NOT NULL;

SELECT country,
    iso3,
    currency
FROM mart.dim_customer
JOIN country_codes ON iso2 = country
JOIN latest_rates USING (currency);

SELECT r.currency, r.rate_to_eur FROM latest_rates AS r NATURAL JOIN exchange_rates;

PIVOT mart.fct_orders ON currency, status USING sum(net_amount);

FROM mart.dim_date
SELECT first(full_date ORDER BY full_date), last(full_date ORDER BY full_date)
WHERE fiscal_period = $period;

SELECT id,
    body->>['type', 'source'] AS parts,
    body->'$.a.b'->>0 AS x,
    json_extract(body, '$.items[#-1]')
FROM staging.raw_events;

SELECT method,
    response->'$.card'->>'brand' AS brand,
    count(*)
FROM staging.stg_payments
GROUP BY method, brand
ORDER BY count(*) DESC, brand;

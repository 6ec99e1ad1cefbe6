SELECT "t0"."category" AS "c0",
    SUM("t0"."revenue") AS "m0"
FROM "mart"."sales" AS "t0"
GROUP BY "t0"."category"
ORDER BY "m0" DESC
LIMIT 1000 OFFSET 0;

SELECT "source"."ordered_month" AS "ordered_month", SUM("source"."net_amount") AS "sum"
FROM (
    SELECT DATE_TRUNC('month', "mart"."fct_orders"."ordered_at") AS "ordered_month", "mart"."fct_orders"."net_amount" AS "net_amount"
    FROM "mart"."fct_orders"
    LEFT JOIN "mart"."dim_customer" AS "Customer" ON "mart"."fct_orders"."customer_key" = "Customer"."customer_key"
    WHERE "Customer"."segment" = 'vip'
) AS "source"
GROUP BY "source"."ordered_month"
ORDER BY "source"."ordered_month" ASC;

SELECT DISTINCT "mart"."dim_store"."city" AS "city"
FROM "mart"."dim_store"
ORDER BY 1 ASC
LIMIT 500;

SELECT CAST("full_date" AS DATE) AS "day",
    COUNT(1) AS "n",
    SUM(CAST("is_holiday" AS INTEGER)) AS "holidays"
FROM "mart"."dim_date"
WHERE ("year" = 2024) AND NOT ("is_weekend" = TRUE)
GROUP BY 1;

SELECT COUNT(DISTINCT CASE WHEN (dim_customer.is_current) THEN dim_customer.customer_id ELSE NULL END) AS "customers.count", dim_customer.segment AS "customers.segment"
FROM mart.dim_customer AS dim_customer
GROUP BY 2
ORDER BY 1 DESC
LIMIT 500;

WITH orders AS (SELECT *, date_part('year', ordered_at) AS y FROM mart.fct_orders), lines AS (SELECT * FROM mart.fct_order_lines)
SELECT orders.y AS "orders.year", COALESCE(SUM(lines.qty), 0) AS "lines.qty"
FROM orders
LEFT JOIN lines ON lines.order_key = orders.order_key
GROUP BY 1
HAVING NOT (COALESCE(SUM(lines.qty), 0) IS NULL)
ORDER BY 2 DESC;

SELECT fct_orders_1.order_key AS fct_orders_1_order_key, dim_store_1.store_name AS dim_store_1_store_name
FROM mart.fct_orders AS fct_orders_1 JOIN mart.dim_store AS dim_store_1 ON dim_store_1.store_key = fct_orders_1.store_key
WHERE fct_orders_1.status = $1 AND fct_orders_1.ordered_at >= $2
ORDER BY fct_orders_1.ordered_at DESC
LIMIT $3 OFFSET $4;

SELECT anon_1.customer_key,
    anon_1.total
FROM (SELECT fct_orders.customer_key AS customer_key, sum(fct_orders.net_amount) AS total FROM mart.fct_orders GROUP BY fct_orders.customer_key) AS anon_1
WHERE anon_1.total > $total;

select count(*)
from (select 1 from mart.fct_orders where currency = ? group by customer_key) as _count;

SELECT *
FROM mart.dim_product
WHERE product_name ILIKE '%' || $q::VARCHAR || '%' OR sku = upper($q::VARCHAR)
ORDER BY product_name COLLATE NOCASE
LIMIT 25;

SELECT CASE WHEN o.net_amount < 20 THEN '<20' WHEN o.net_amount < 100 THEN '20-100' ELSE '>100' END AS "Basket", COUNT(*) AS "Orders", AVG(o.net_amount) AS "Average"
FROM mart.fct_orders o
GROUP BY "Basket"
ORDER BY "Average";

SELECT "Cost Center" AS name, CAST("Fiscal Year" AS VARCHAR) AS fiscal, "Q1"::DOUBLE / NULLIF("Q4", 0)::DOUBLE AS ratio
FROM "Budget Plan"
ORDER BY fiscal, ratio NULLS FIRST;

SELECT b."Owner", sum(b."Q1") OVER (PARTITION BY b."Owner" ORDER BY b."Fiscal Year") AS "Running Q1"
FROM main."Budget Plan" b;

SELECT s.STORE_CODE, S.City FROM MART.DIM_STORE S WHERE S.COUNTRY = 'DE';

SELECT store_code code, city, -- no AS
       floor_m2 size
FROM mart.dim_store
WHERE size > 200 -- alias
ORDER BY size;

SELECT count(*) FILTER (WHERE ordered_at >= current_date - 7) AS last7,
    count(*) FILTER (WHERE ordered_at >= current_date - 30) AS last30,
    last7 / nullif(last30, 0) AS ratio
FROM mart.fct_orders;

SELECT date_trunc('week', ordered_at) AS week, status, count(*) AS n FROM mart.fct_orders WHERE week >= date_trunc('week', today() - INTERVAL 8 WEEKS) GROUP BY week, status ORDER BY week, status;

SELECT strftime(full_date, '%a %d.%m.') AS label,
    fiscal_period[3:6] AS fy,
    fiscal_period.split('-')[2] AS period
FROM mart.dim_date
WHERE full_date = CURRENT_DATE;

SELECT substring(email FROM position('@' IN email) + 1) AS domain,
    count(*)
FROM mart.dim_customer
GROUP BY domain;

SELECT full_name,
    extract(year FROM age(valid_from)) AS years,
    valid_from::DATE || ' bis ' || coalesce(valid_to::DATE::VARCHAR, 'heute') AS valid
FROM mart.dim_customer;

SELECT trim(BOTH ' ' FROM city) AS city,
    upper(country) AS country,
    count(*)
FROM mart.dim_store
GROUP BY ALL HAVING count(*) > 1;

SELECT store_name, opened_on + INTERVAL 10 YEARS AS jubilee, opened_on - CURRENT_DATE AS days, (opened_on + 1)::TIMESTAMP AT TIME ZONE 'Europe/Vienna' AS utc
FROM mart.dim_store;

SELECT * FROM mart.fct_orders USING SAMPLE 5 PERCENT (bernoulli);

SELECT *
FROM mart.fct_order_lines TABLESAMPLE reservoir(100) REPEATABLE (7)
WHERE qty > 1;

SELECT avg(net_amount) FROM (SELECT * FROM mart.fct_orders TABLESAMPLE 20 PERCENT);

SELECT min(COLUMNS(* EXCLUDE (status, currency, ordered_at, shipped_at))) FROM mart.fct_orders;

SELECT order_key,
    COLUMNS('(gross|discount|net)_amount')::DOUBLE AS '\1'
FROM mart.fct_orders;

SELECT sum(COLUMNS(lambda c: ends_with(c, '_amount')))
FROM mart.fct_orders
WHERE COLUMNS('_amount$') IS NOT NULL;

SELECT max(COLUMNS(l.* EXCLUDE (returned)))
FROM mart.fct_order_lines l
JOIN mart.fct_orders o USING (order_key);

SELECT * LIKE '%_key' FROM mart.fct_orders LIMIT 1;

SELECT * ILIKE 'q%' FROM "Budget Plan";

SELECT * SIMILAR TO '.*_(at|on)' FROM mart.fct_orders;

SELECT * EXCLUDE (o.currency, c.country)
FROM mart.fct_orders o
JOIN mart.dim_customer c USING (customer_key);

SELECT p.* EXCLUDE (margin) RENAME (sku AS article) FROM mart.dim_product p;

SELECT * EXCLUDE (customer_key, segment) REPLACE (round(weight, 2) AS weight) RENAME (assigned_on AS since)
FROM mart.bridge_customer_segment;

SELECT article, n
FROM (SELECT * RENAME (sku AS article) FROM mart.dim_product)
JOIN (SELECT product_key, count(*) AS n FROM mart.fct_order_lines GROUP BY ALL) USING (product_key);

SELECT [1, 2, 3].list_transform(lambda x: x + 1) AS l,
    {'a': {'b': 42}}.a.b AS deep,
    MAP {'k': [1, 2]}['k'][2] AS second;

SELECT list_reduce([net_amount, gross_amount], lambda a, b: greatest(a, b)) AS top,
    list_filter([order_id, date_key], lambda v, i: i = 1 OR v > 0)
FROM mart.fct_orders;

SELECT full_name,
    list_transform(string_split(full_name, ' '), lambda part: part[1] || '.') AS initials
FROM mart.current_customers;

SELECT customer_id,
    list_transform(marketing_tags, lambda t: t || '@' || country) AS tags
FROM staging.stg_customers;

SELECT customer_id, [t for t in marketing_tags if t <> country AND length(t) > 2] AS tags
FROM staging.stg_customers;

SELECT [[x * y for y in range(1, 4)] for x in range(1, 4)] AS table_of_products;

SELECT GREATEST(list_price, cost, 0), LEAST(list_price, cost), IFNULL(brand, '-'), NULLIF(category, '')
FROM mart.dim_product;

SELECT store_key, currency, sum(net_amount)
FROM mart.fct_orders
GROUP BY GROUPING SETS ((store_key), (currency), (store_key, currency), ());

SELECT getvariable('run_date') AS run_date,
    o.*
FROM mart.fct_orders o
WHERE o.ordered_at::DATE = getvariable('run_date')::DATE;

SELECT d.date_key,
    x.n
FROM mart.dim_date d
JOIN generate_series(20240101, 20240131) AS x(n) ON x.n = d.date_key;

SELECT m.i, monthname(make_date(2024, m.i::INT, 1)), coalesce(sum(s.revenue), 0) FROM range(1, 13) m(i) LEFT JOIN mart.sales s ON month(s.sale_date) = m.i GROUP BY ALL ORDER BY m.i;

VALUES ('a', 1), ('b', 2) ORDER BY 1 DESC LIMIT 1;

SELECT v.code, c.country_name
FROM (VALUES ('DE'), ('AT'), ('CH')) v(code)
LEFT JOIN country_codes c ON c.iso2 = v.code;

TABLE mart.dim_promotion;

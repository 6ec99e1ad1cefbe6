PIVOT mart.sales ON category IN ('Food', 'Toys', 'Books') USING sum(revenue)
GROUP BY store_code;

PIVOT (FROM mart.sales SELECT year(sale_date) AS y, month(sale_date) AS m, revenue)
ON m IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
USING sum(revenue) AS rev
GROUP BY y
ORDER BY y;

SELECT *
FROM mart.monthly_sales PIVOT (sum(revenue) AS r, sum(profit) AS p FOR category IN ('Food', 'Toys') GROUP BY month);

SELECT p.store_code, p."2023", p."2024", p."2024" - p."2023" AS diff
FROM (SELECT store_code, year(sale_date) AS y, revenue FROM mart.sales)
PIVOT (sum(revenue) FOR y IN (2023, 2024) GROUP BY store_code) AS p;

PIVOT mart.fct_orders ON status USING count(*) GROUP BY currency;

WITH pv AS (
    PIVOT mart.fct_payments ON method IN ('card', 'paypal', 'voucher') USING sum(amount) GROUP BY order_key
)
SELECT o.order_id, pv.card, pv.paypal, pv.voucher
FROM pv JOIN mart.fct_orders o USING (order_key)
WHERE pv.voucher > 0;

UNPIVOT "Budget Plan" ON "Q1", "Q2", "Q3", "Q4" INTO NAME quarter VALUE amount;

SELECT "Cost Center", quarter, amount
FROM "Budget Plan" UNPIVOT (amount FOR quarter IN ("Q1", "Q2", "Q3", "Q4"))
WHERE "Fiscal Year" = 2025
ORDER BY amount DESC;

UNPIVOT (FROM "Budget Plan" SELECT * EXCLUDE "Owner") ON COLUMNS('^Q\d$') INTO NAME quarter VALUE amount;

UNPIVOT mart.dim_product ON list_price AS 'list', cost INTO NAME kind VALUE price;

SELECT u.sku,
    u.kind,
    u.price
FROM mart.dim_product UNPIVOT INCLUDE NULLS (price FOR kind IN (list_price, cost)) AS u;

SELECT half,
    sum(a + b) AS total
FROM (UNPIVOT "Budget Plan" ON ("Q1", "Q2") AS h1, ("Q3", "Q4") AS h2 INTO NAME half VALUE a, b)
GROUP BY half;

FROM (PIVOT mart.fct_inventory ON store_key IN (1, 2) USING max(on_hand) AS hand, max(on_order) AS ordered GROUP BY product_key) SELECT product_key, "1_hand", "2_hand" WHERE "1_hand" < "2_ordered";

PIVOT mart.dim_date ON is_weekend IN (true, false) USING count(*)
GROUP BY year, quarter
ORDER BY ALL;

CREATE OR REPLACE TABLE mart.order_states AS
SELECT * FROM (SELECT store_key, status, net_amount FROM mart.fct_orders) PIVOT (sum(net_amount) FOR status IN ('placed', 'completed') GROUP BY store_key);

INSERT INTO exchange_rates BY NAME
SELECT currency, rate_date, rate AS rate_to_eur
FROM (UNPIVOT (SELECT DATE '2024-01-02' AS rate_date, 0.91 AS "USD", 1.15 AS "GBP") ON "USD", "GBP" INTO NAME currency VALUE rate);

SUMMARIZE mart.fct_orders;

SUMMARIZE (SELECT sku, list_price, cost FROM mart.dim_product);

DESCRIBE mart.dim_customer;

DESC staging.stg_orders;

DESCRIBE (FROM mart.sales SELECT store_code, revenue);

SHOW ALL TABLES;

SELECT column_name,
    max,
    null_percentage
FROM (SUMMARIZE mart.fct_orders)
WHERE null_percentage > 0;

SELECT t.column_name
FROM (DESCRIBE mart.dim_product) t
SEMI JOIN (DESCRIBE staging.stg_products) s USING (column_name);

SELECT c.column_name, c.data_type
FROM information_schema.columns c
WHERE c.table_schema = 'mart' AND c.table_name = 'fct_orders'
ORDER BY c.ordinal_position;

SELECT schema_name,
    table_name,
    column_count
FROM duckdb_tables()
WHERE schema_name IN ('mart', 'staging');

SELECT t.table_schema,
    t.table_name,
    t.table_type
FROM information_schema.tables AS t
WHERE lower(t.table_schema) = 'mart';

EXPLAIN SELECT * FROM mart.sales WHERE store_code = 'B01';

EXPLAIN (FORMAT json) SELECT category, sum(revenue) FROM mart.sales GROUP BY category;

PRAGMA show_tables;

PRAGMA table_info('mart.dim_store');

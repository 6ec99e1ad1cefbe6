SELECT COUNT(*) FROM orders AT (OFFSET => -60 * 15);

SELECT o.order_id, o.status, old.status AS status_yesterday
FROM orders AS o
JOIN orders AT (TIMESTAMP => DATEADD(day, -1, CURRENT_TIMESTAMP())) AS old ON old.order_id = o.order_id
WHERE o.status <> old.status;

SELECT old.*, now.total_amount AS new_total
FROM orders BEFORE (STATEMENT => '01b2f0aa-0000-1234-0000-000000000001') AS old
FULL OUTER JOIN orders AT (STATEMENT => '01b2f0aa-0000-1234-0000-000000000001') AS now
  ON old.order_id = now.order_id
WHERE old.order_id IS NULL OR now.order_id IS NULL OR old.total_amount <> now.total_amount;

SELECT customer_id, email FROM customers AT(TIMESTAMP => '2026-05-01 00:00:00'::TIMESTAMP_LTZ) WHERE is_active;

SELECT customer_id, segment, metadata$action, METADATA$ISUPDATE
FROM customers CHANGES (INFORMATION => DEFAULT) AT (TIMESTAMP => '2026-05-01'::TIMESTAMP_TZ);

SELECT order_id, METADATA$ROW_ID FROM orders CHANGES (INFORMATION => APPEND_ONLY) AT (OFFSET => -3600) END (OFFSET => -60);

SELECT * FROM raw.clickstream SAMPLE (1);

SELECT c.segment, AVG(o.total_amount) FROM orders AS o TABLESAMPLE BERNOULLI (12.5) JOIN customers AS c SAMPLE (50) ON c.customer_id = o.customer_id GROUP BY c.segment;

SELECT sku, list_price FROM products SAMPLE ROW (100 ROWS);

SELECT event_type, COUNT(*) * 20 AS estimate FROM raw.clickstream TABLESAMPLE SYSTEM (5) SEED (42) GROUP BY event_type;

SELECT * FROM (SELECT order_id, total_amount FROM orders WHERE status = 'done') SAMPLE (10);

CREATE TABLE orders_before_fix CLONE orders BEFORE (TIMESTAMP => '2026-06-14 08:00:00'::TIMESTAMP_LTZ);

CREATE OR REPLACE TABLE customers_bak CLONE customers;

CREATE TABLE restored_items AS
SELECT * FROM order_items BEFORE (STATEMENT => '01b2f0aa-0000-1234-0000-0000000000ff');

INSERT INTO orders
SELECT * FROM orders AT (OFFSET => -1800) WHERE order_id NOT IN (SELECT order_id FROM orders);

SELECT SEQ4() AS n, UNIFORM(1, 100, RANDOM(7)) AS rnd, RANDSTR(8, RANDOM()) AS txt, UUID_STRING() AS id FROM TABLE(GENERATOR(ROWCOUNT => 1000));

SELECT UNIFORM(0, 23, RANDOM()) AS hr, COUNT(*) FROM TABLE(GENERATOR(TIMELIMIT => 2)) v GROUP BY 1;

SELECT "name", "rows" FROM TABLE(RESULT_SCAN(LAST_QUERY_ID())) WHERE "rows" > 0 ORDER BY "rows" DESC;

SELECT r.$1 AS first_col, c.email
FROM TABLE(RESULT_SCAN('01b2f0aa-0000-1234-0000-0000000000aa')) r
JOIN customers c ON c.customer_id = r.$1;

SELECT query_text, total_elapsed_time / 1000 AS sec
FROM TABLE(INFORMATION_SCHEMA.QUERY_HISTORY(RESULT_LIMIT => 50))
WHERE query_text ILIKE '%daily_sales%'
ORDER BY sec DESC;

SELECT table_name, row_count, bytes FROM information_schema.tables WHERE table_schema = 'PUBLIC' AND table_type = 'BASE TABLE';

SELECT t.table_name, c.column_name, c.data_type
FROM information_schema.tables t JOIN information_schema.columns c
  ON c.table_name = t.table_name AND c.table_schema = t.table_schema
ORDER BY t.table_name, c.ordinal_position;

SELECT * FROM IDENTIFIER('public.orders') WHERE order_id = 1;

SELECT COUNT(*) FROM TABLE('customers') WHERE is_active;

SELECT s.order_id, s.total_amount FROM orders_stream s WHERE s.METADATA$ACTION = 'INSERT' AND NOT s.METADATA$ISUPDATE;


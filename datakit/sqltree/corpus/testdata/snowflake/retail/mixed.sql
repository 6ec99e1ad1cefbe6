SELECT "ORDER_ID", orders."STATUS" AS "Order Status", ordered_at::DATE "Day" FROM ORDERS WHERE "STORE_ID" = 3 ORDER BY "Day";

SELECT c.customer_id FROM customers c WHERE EXISTS (SELECT 1 FROM TABLE(FLATTEN(INPUT => c.tags)) f WHERE f.value::STRING = 'press');

SELECT value::INT AS n, index FROM TABLE(FLATTEN(INPUT => PARSE_JSON('[3, 1, 2]'))) ORDER BY n;

SELECT o.*, f.value:code::STRING AS fee_code
FROM orders o, LATERAL FLATTEN(INPUT => o.metadata:fees) f
WHERE fee_code <> 'none';

SELECT product_id, order_id, o.status, p.list_price
FROM order_items
JOIN orders o USING (order_id)
JOIN products p USING (product_id)
WHERE order_id > 1000 AND product_id IS NOT NULL;

SELECT customer_id, d.row_hash, c.email
FROM customers c FULL JOIN customer_dim d USING (customer_id)
WHERE d.is_current OR d.customer_key IS NULL;

SELECT status AS channel, channel AS status, COUNT(*) AS n
FROM orders
GROUP BY orders.status, orders.channel
ORDER BY n DESC; // busiest first

SELECT UPPER(segment) AS segment, COUNT(*) AS n FROM customers WHERE segment = 'standard' GROUP BY ALL;

SELECT s.store_id, SUM(o.total_amount) AS total
FROM stores s LEFT JOIN orders o ON o.store_id = s.store_id
GROUP BY s.store_id
HAVING total > (SELECT AVG(t.total) FROM (SELECT SUM(total_amount) AS total FROM orders GROUP BY store_id) t)
ORDER BY total DESC;

SELECT * FROM orders o WHERE (o.customer_id, o.ordered_at) IN (SELECT customer_id, MAX(ordered_at) FROM orders GROUP BY customer_id);

SELECT COALESCE(c.preferences:mail.main, c.preferences:mail.backup, TO_VARIANT(c.email))::STRING AS address,
       CASE WHEN c.preferences:vip::BOOLEAN THEN 'vip' WHEN c.preferences:scores[0].value::NUMBER(10,2) + 1 > 5 THEN 'good' ELSE c.segment END AS class
FROM customers c
WHERE c.preferences['mail']['main'] IS NOT NULL;

SELECT a.order_id, a.amount, b.line_no FROM payments a CROSS JOIN order_items b WHERE a.order_id = b.order_id AND a.amount BETWEEN b.unit_price AND b.unit_price * 2;

SELECT DISTINCT o.channel FROM orders AS o ORDER BY o.channel NULLS FIRST;

WITH t AS (SELECT store_id, ARRAY_AGG(DISTINCT channel) WITHIN GROUP (ORDER BY channel) AS channels FROM orders GROUP BY store_id)
SELECT t.store_id, c.value::STRING AS channel, c.index + 1 AS position
FROM t, LATERAL FLATTEN(t.channels) c
ORDER BY 1, 3;

SELECT x.store_name, x.n FROM (SELECT s.store_name, COUNT(*) n FROM stores s JOIN employees e ON e.store_id = s.store_id WHERE e.left_on IS NULL GROUP BY s.store_name) x ORDER BY x.n DESC LIMIT 5;

CREATE OR REPLACE TABLE region_sales (region, month, revenue) AS
SELECT region_name, month, SUM(revenue) FROM v_store_revenue GROUP BY region_name, month;

MERGE INTO customer_dim t USING (SELECT customer_id, email, segment, country_code FROM customers) s
ON t.customer_id = s.customer_id
WHEN MATCHED THEN UPDATE ALL BY NAME
WHEN NOT MATCHED THEN INSERT ALL BY NAME;

SELECT $$it's a "raw" text$$ AS note, order_id FROM returns WHERE reason = $$doesn't fit$$;

SHOW COLUMNS IN TABLE orders;

UNDROP TABLE price_history;

LIST @landing/prices/;

USE SCHEMA retail_db.public;

CREATE OR REPLACE PROCEDURE purge_clicks(days NUMBER) RETURNS VARCHAR LANGUAGE SQL AS $$ BEGIN DELETE FROM raw.clickstream WHERE event_ts < DATEADD(day, -days, CURRENT_DATE()); RETURN 'ok'; END $$;

CALL purge_clicks(90);

CREATE OR REPLACE MASKING POLICY mask_mail AS (val VARCHAR) RETURNS VARCHAR -> CASE WHEN CURRENT_ROLE() = 'ANALYST' THEN '***' ELSE val END;

ALTER TABLE customers MODIFY COLUMN email SET MASKING POLICY mask_mail;

ALTER TABLE orders ADD SEARCH OPTIMIZATION ON EQUALITY(promo_code);

CREATE OR REPLACE FILE FORMAT csv_with_header TYPE = CSV SKIP_HEADER = 1 NULL_IF = ('', 'NULL');

SELECT emp.full_name, boss.full_name AS boss_name, emp.depth
FROM (SELECT employee_id, manager_id, full_name, LEVEL AS depth FROM employees START WITH job_title = 'CEO' CONNECT BY PRIOR employee_id = manager_id) emp
LEFT JOIN employees boss ON boss.employee_id = emp.manager_id
WHERE emp.depth <= 3;

SELECT o.order_id, p.part, p.n FROM orders o, TABLE(split_order(o.order_id, o.total_amount)) AS p WHERE p.n > 1;

SELECT MIN(ordered_at) OVER (PARTITION BY customer_id) AS first_order, DATE_TRUNC('month', first_order) AS cohort, order_id FROM orders ORDER BY ROW_NUMBER() OVER (ORDER BY total_amount DESC) LIMIT 10;

SELECT t.sku, t.rev FROM (
    SELECT p.sku, SUM(i.quantity * i.unit_price * (1 - ZEROIFNULL(i.discount_pct) / 100)) AS rev
    FROM order_items i, products p
    WHERE i.product_id = p.product_id
    GROUP BY p.sku
    UNION ALL
    SELECT 'refunds', -SUM(refund_amount) FROM returns
) t ORDER BY t.rev;

EXECUTE IMMEDIATE 'SELECT COUNT(*) FROM orders';

SELECT CURRENT_DATE() AS today, (SELECT COUNT(*) FROM orders WHERE ordered_at::DATE = CURRENT_DATE()) AS orders_today, orders_today * 2 AS doubled;


SELECT * FROM (SELECT store_id, channel, total_amount FROM orders WHERE YEAR(ordered_at) = 2026)
PIVOT (SUM(total_amount) FOR channel IN ('web', 'store', 'phone')) AS p (store_id, web, store, phone)
ORDER BY store_id;

SELECT p."'paid'" AS paid, p."'new'" AS open_orders, p.customer_id
FROM (SELECT customer_id, status, order_id FROM orders)
PIVOT (COUNT(order_id) FOR status IN ('paid', 'new')) AS p;

SELECT *
FROM (SELECT sales_date, store_id, revenue FROM daily_sales)
PIVOT (MAX(revenue) FOR store_id IN (ANY ORDER BY store_id) DEFAULT ON NULL (0))
ORDER BY sales_date;

SELECT store_id, fiscal_year, quarter, target
FROM sales_targets
UNPIVOT (target FOR quarter IN (q1, q2, q3, q4))
ORDER BY store_id, fiscal_year, quarter;

SELECT u.store_id, u.quarter, u.goal
FROM sales_targets UNPIVOT INCLUDE NULLS (goal FOR quarter IN (q1 AS spring, q2 AS summer, q3 AS autumn, q4 AS winter)) AS u
WHERE u.fiscal_year = 2026;

SELECT status, n FROM (SELECT status, COUNT(*) AS n FROM payments GROUP BY status) pivoted_source ORDER BY n;

SELECT * FROM (
    SELECT method, DATE_TRUNC('month', paid_at) AS mon, amount FROM payments
) PIVOT (AVG(amount) FOR method IN (SELECT DISTINCT method FROM payments WHERE status = 'captured'));

SELECT customer_id FROM orders WHERE channel = 'web'
INTERSECT
SELECT customer_id FROM orders WHERE channel = 'store'
EXCEPT
SELECT customer_id FROM customers WHERE NOT is_active;

(SELECT sku AS code, 'product' AS kind FROM products LIMIT 5)
UNION
(SELECT promo_code, 'promotion' FROM promotions LIMIT 5)
ORDER BY code;

SELECT email FROM customers
UNION ALL
(SELECT email FROM employees MINUS SELECT email FROM customers)
ORDER BY 1 LIMIT 10;

SELECT customer_id, email, segment FROM customers
UNION ALL BY NAME
SELECT email, customer_id, country_code FROM customer_dim WHERE is_current;

SELECT order_id, line_no, quantity FROM order_items WHERE order_id = :1
UNION ALL
SELECT order_id, line_no, -quantity FROM returns WHERE order_id = :1
ORDER BY line_no;

SELECT kind, SUM(amount) AS balance
FROM (
    SELECT 'in' AS kind, amount FROM payments WHERE status = 'captured'
    UNION ALL
    SELECT 'out', refund_amount FROM returns
) AS flows
GROUP BY kind;

SELECT v.code, v.pct, o.order_id
FROM (VALUES ('SPRING', 10), ('SUMMER', 15)) AS v (code, pct)
JOIN orders o ON o.promo_code = v.code;

SELECT column1 AS id, column2 AS name FROM (VALUES (1, 'one'), (2, 'two'));

SELECT * EXCLUDE (metadata, promo_code) RENAME (total_amount AS amount, ordered_at AS created) FROM orders;

SELECT * REPLACE (ROUND(list_price, 0) AS list_price, UPPER(sku) AS sku) FROM products;

SELECT * ILIKE '%_id%' FROM order_items;

SELECT o.* ILIKE '%at' , c.* EXCLUDE email RENAME segment AS customer_segment
FROM orders o JOIN customers c ON o.customer_id = c.customer_id;

SELECT COUNT(* EXCLUDE gift_note), COUNT(i.*) FROM order_items i;

SELECT DISTINCT country_code, segment FROM customers WHERE email LIKE ANY ('%@example.com', '%@example.org') ORDER BY ALL;

SELECT sku FROM products WHERE product_name LIKE ALL ('%oak%', '%table%') OR REGEXP_LIKE(sku, '^[A-Z]{3}-\\d+$', 'i') OR product_name RLIKE '.*(chair|stool).*';

SELECT a.promo_code FROM promotions a WHERE a.rules IS DISTINCT FROM NULL AND a.percent_off IS NOT DISTINCT FROM 10 AND a.description NOT ILIKE 'test%';

SELECT ROUND(AVG(cnt), 2) FROM (SELECT COUNT(*) AS cnt FROM order_items GROUP BY order_id HAVING SUM(quantity) > 1) AS sub;


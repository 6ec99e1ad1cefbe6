SELECT email FROM customers UNION SELECT website FROM brands;

SELECT 'customer' AS kind, id, email AS label FROM customers
UNION ALL
SELECT 'brand', id, name FROM brands
UNION ALL
SELECT 'supplier', id, name FROM suppliers
ORDER BY kind, label
LIMIT 100;

(SELECT id, total FROM orders ORDER BY total DESC LIMIT 5)
UNION ALL
(SELECT id, total FROM orders ORDER BY total ASC LIMIT 5)
ORDER BY total;

SELECT country_code FROM customers INTERSECT SELECT country_code FROM suppliers;

SELECT id FROM product_variants EXCEPT SELECT variant_id FROM order_items;

(SELECT variant_id FROM stock) EXCEPT (SELECT variant_id FROM order_items UNION SELECT variant_id FROM cart_items);

SELECT code FROM countries EXCEPT (SELECT country_code FROM warehouses INTERSECT SELECT country_code FROM suppliers) ORDER BY code;

SELECT number, total, 'current' AS src FROM orders
UNION DISTINCT
SELECT number, total, 'archive' FROM webshop_archive.old_orders
ORDER BY total DESC, number;

SELECT u.kind, COUNT(*) FROM (SELECT 'cart' AS kind, variant_id FROM cart_items UNION ALL SELECT 'order', variant_id FROM order_items) u GROUP BY u.kind;

SELECT customer_id, MAX(happened_at) AS last_seen
FROM (
  SELECT customer_id, placed_at AS happened_at FROM orders
  UNION ALL
  SELECT customer_id, created_at FROM reviews WHERE customer_id IS NOT NULL
  UNION ALL
  SELECT customer_id, viewed_at FROM page_views WHERE customer_id IS NOT NULL
) AS activity
GROUP BY customer_id
HAVING last_seen < NOW() - INTERVAL 6 MONTH;

SELECT c.id FROM customers c WHERE c.id IN (SELECT customer_id FROM orders UNION SELECT customer_id FROM reviews);

SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 ORDER BY n DESC;

SELECT variant_id, quantity FROM order_items WHERE order_id = 10
EXCEPT
SELECT variant_id, quantity FROM order_items WHERE order_id = 11;

SELECT colour FROM product_variants WHERE product_id = 1 INTERSECT SELECT colour FROM product_variants WHERE product_id = 2 INTERSECT SELECT colour FROM product_variants WHERE product_id = 3;

WITH sold AS (SELECT variant_id FROM order_items), kept AS (SELECT variant_id FROM stock WHERE on_hand > 0)
SELECT variant_id, 'never sold' AS remark FROM kept WHERE variant_id NOT IN (SELECT variant_id FROM sold)
UNION
SELECT variant_id, 'out of stock' FROM sold WHERE variant_id NOT IN (SELECT variant_id FROM kept)
ORDER BY remark, variant_id;

(SELECT name FROM products WHERE status = 'active')
UNION
(SELECT name FROM categories)
LIMIT 3 OFFSET 2;

SELECT t.ymd, SUM(t.money_in) AS money_in, SUM(t.money_out) AS money_out
FROM (
    SELECT DATE(captured_at) AS ymd, amount AS money_in, 0 AS money_out FROM payments WHERE state = 'captured'
    UNION ALL
    SELECT DATE(received_at), 0, refund FROM `returns` WHERE received_at IS NOT NULL
) t
GROUP BY t.ymd WITH ROLLUP;

SELECT id, name FROM products WHERE id = 1 UNION ALL SELECT id, name FROM products WHERE id = 1;

SELECT x.a FROM (SELECT 1 a UNION SELECT 2) x JOIN (SELECT 2 b UNION SELECT 3) y ON x.a = y.b;

SELECT NULL AS parent, c.name AS child FROM categories c WHERE c.parent_id IS NULL
UNION ALL
SELECT p.name, c.name FROM categories c JOIN categories p ON p.id = c.parent_id
ORDER BY parent IS NULL DESC, child;

SELECT COUNT(*) FROM (
  (SELECT customer_id FROM orders WHERE placed_on BETWEEN '2023-01-01' AND '2023-12-31')
  INTERSECT
  (SELECT customer_id FROM orders WHERE placed_on BETWEEN '2024-01-01' AND '2024-12-31')
) AS loyal;

SELECT o.id, o.status FROM orders o WHERE o.status = 'placed' UNION ALL SELECT o.id, o.status FROM webshop_archive.old_orders o WHERE o.status = 'placed' ORDER BY id;

((SELECT sku FROM products) UNION ALL (SELECT sku FROM product_variants)) ORDER BY sku LIMIT 10;

SELECT sku FROM products INTERSECT ALL SELECT sku FROM product_variants;

SELECT reason FROM `returns` EXCEPT ALL SELECT reason FROM stock_moves;

-- a union inside an expression
SELECT (SELECT SUM(n) FROM (SELECT COUNT(*) n FROM orders UNION ALL SELECT COUNT(*) FROM webshop_archive.old_orders) parts) AS all_orders;

SELECT status AS word FROM customers GROUP BY status UNION SELECT status FROM orders GROUP BY status HAVING COUNT(*) > 5 UNION SELECT state FROM payments ORDER BY word;

VALUES ROW(1, 'one'), ROW(2, 'two') ORDER BY column_0 DESC LIMIT 1;

TABLE countries;

TABLE orders ORDER BY placed_at DESC LIMIT 10 OFFSET 5;

TABLE warehouses UNION ALL SELECT * FROM warehouses WHERE closed_on IS NULL;

SELECT v.column_0 AS id, v.column_1 AS label FROM (VALUES ROW(1, 'low'), ROW(2, 'high')) AS v;

SELECT b.label, COUNT(*)
FROM orders o
JOIN (VALUES ROW(0, 49.99, 'small'), ROW(50, 199.99, 'medium'), ROW(200, 99999, 'large')) AS b (lo, hi, label)
  ON o.total BETWEEN b.lo AND b.hi
GROUP BY b.label;

SELECT code FROM countries WHERE EXISTS (SELECT * FROM (SELECT code FROM coupons UNION (VALUES ROW('NONE'))) AS all_codes WHERE all_codes.code = countries.code);


SELECT total AS id, id AS total FROM orders ORDER BY id, total;

SELECT o.total AS status, COUNT(*) FROM orders o GROUP BY o.total HAVING status > 5 ORDER BY status;

SELECT placed_on AS placed_at, SUM(total) AS total FROM orders GROUP BY placed_on HAVING SUM(orders.total) > 10 ORDER BY placed_at;

SELECT orders.id FROM customers AS orders JOIN orders AS customers ON customers.customer_id = orders.id WHERE customers.total > orders.loyalty_points;

SELECT name.name FROM products AS name WHERE name.name = name.sku;

SELECT price AS p, cost AS c FROM products p WHERE p.price > 5 ORDER BY p - c;

SELECT c.id AS `Customer Id`, c.email AS "E-mail" FROM customers c ORDER BY `Customer Id` DESC, `E-mail`;

SELECT ID, Email, LOYALTY_POINTS FROM customers WHERE customers.ID > 0 OR customers.EMAIL IS NULL;

SELECT (SELECT o.total) AS same_total, (SELECT c.email FROM customers c WHERE c.id = o.customer_id AND o.total > total_min.v) AS email
FROM orders o CROSS JOIN (SELECT 10 AS v) total_min;

SELECT id, (SELECT COUNT(*) FROM reviews WHERE product_id = id) AS suspicious FROM products;

SELECT p.id FROM products p WHERE p.category_id IN (SELECT category_id FROM categories WHERE slug = 'x');

SELECT customer_id FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE id = orders.customer_id AND email IN (SELECT CONCAT(customer_id, '@example.org') FROM addresses WHERE addresses.customer_id = customers.id));

SELECT t.* FROM (SELECT o.id, c.id AS customer, c.email FROM orders o, customers c WHERE c.id = o.customer_id) t WHERE t.customer = 3;

SELECT x.id, y.id FROM orders x, (SELECT id FROM orders WHERE total > 10) y WHERE x.id = y.id;

WITH products AS (SELECT id, sku FROM products WHERE price > 10), categories AS (SELECT id AS sku FROM products) SELECT categories.sku, products.id FROM categories JOIN products ON products.id = categories.sku;

WITH a AS (SELECT id AS k FROM orders), b AS (SELECT k AS id FROM a) SELECT a.k, b.id FROM a JOIN b ON b.id = a.k UNION SELECT k, (SELECT MAX(id) FROM b) FROM a;

SELECT s.warehouse_id, warehouse_id FROM stock s JOIN warehouses w ON w.id = s.warehouse_id;

SELECT warehouse_id, stock.warehouse_id, stock_moves.warehouse_id, quantity FROM stock JOIN stock_moves USING (warehouse_id);

SELECT id, code, carrier FROM (shipments NATURAL JOIN (SELECT id, code FROM warehouses) AS w);

SELECT * FROM stock s NATURAL LEFT JOIN (SELECT warehouse_id, MAX(moved_at) AS last_move FROM stock_moves GROUP BY warehouse_id) m WHERE last_move IS NULL OR m.last_move < s.counted_at;

SELECT a.order_id, b.amount, order_id FROM shipments a RIGHT JOIN payments b USING (order_id);

SELECT order_id, COUNT(*) FROM order_items JOIN payments USING (order_id) JOIN shipments USING (order_id) GROUP BY order_id;

SELECT i.order_id oid, SUM(i.line_total) s FROM order_items i GROUP BY oid HAVING s > 10 AND oid > 5 ORDER BY s, oid;

SELECT UPPER(city) AS city, COUNT(*) FROM addresses GROUP BY UPPER(city) ORDER BY city;

SELECT DISTINCT status FROM orders ORDER BY status = 'paid', status;

SELECT c.id, c.created_at FROM customers c WHERE created_at = (SELECT MAX(created_at) FROM customers WHERE country_code = c.country_code);

SELECT o.id, o.total, (SELECT SUM(x.line_total) FROM (SELECT line_total, order_id FROM order_items) x WHERE x.order_id = o.id) AS lines_total FROM orders o HAVING lines_total <> o.total;

SELECT k.code, k.code = 'DE' AS is_home, (SELECT k.name) AS label FROM countries k GROUP BY k.code, k.name ORDER BY is_home DESC, label;

SELECT r.rating, COUNT(*) AS rating_count FROM reviews r GROUP BY rating ORDER BY r.rating;

SELECT v.sku, p.sku FROM product_variants v JOIN products p ON v.product_id = p.id WHERE v.sku LIKE CONCAT(p.sku, '%') ORDER BY p.sku, v.sku;

SELECT email FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE c.id = customer_id HAVING COUNT(*) > 2);

SELECT customer_value.email, order_totals.goods, `order_totals`.`number` FROM customer_value JOIN order_totals ON order_totals.customer_id = customer_value.customer_id;

SELECT webshop_archive.o.id, o.number FROM webshop_archive.old_orders AS o;

SELECT SUM(total) OVER w AS running, id FROM orders WINDOW w AS (ORDER BY id), `unused window` AS (PARTITION BY status) ORDER BY running DESC;

SELECT id AS a, a.line1 FROM addresses a HAVING a > 3 ORDER BY a.line1;


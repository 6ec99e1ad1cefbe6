SELECT total * 2 AS dbl, (SELECT dbl + 1) AS more FROM orders;

SELECT price AS p, (SELECT COUNT(*) FROM reviews HAVING COUNT(*) > p) AS n FROM products ORDER BY (SELECT p), n;

SELECT YEAR(placed_at) AS y, COUNT(*) AS n FROM orders GROUP BY y, MONTH(placed_at) HAVING y > 2020 AND MAX(total) > 5 ORDER BY y DESC, MONTH(placed_at);

SELECT o.id, o.meta->>'$.src' AS src, (SELECT SUM(best.t) FROM (SELECT i.line_total AS t FROM order_items i WHERE i.order_id = o.id ORDER BY i.line_total DESC LIMIT 3) AS best) AS top_three FROM orders o;

SELECT j.tag FROM products, JSON_TABLE(attributes, '$.tags[*]' COLUMNS (tag VARCHAR(20) PATH '$', tag_no FOR ORDINALITY)) j WHERE status = 'active' AND tag_no = 1 ORDER BY tag;

SELECT c.id, (SELECT GROUP_CONCAT(l.lang) FROM JSON_TABLE(c.preferences, '$.langs[*]' COLUMNS (lang CHAR(2) PATH '$')) AS l) AS langs FROM customers c;

SELECT d.customer_id, d.goods, d.lifetime_value FROM (SELECT * FROM customer_value JOIN order_totals USING (customer_id)) d;

WITH joined AS (SELECT s.*, w.code, w.name FROM stock s JOIN warehouses w ON w.id = s.warehouse_id), trimmed AS (SELECT joined.*, on_hand * 2 AS double_hand FROM joined)
SELECT code, SUM(double_hand), MAX(trimmed.reorder_level) FROM trimmed GROUP BY code;

UPDATE orders o JOIN payments ON order_id = o.id SET paid_at = captured_at, state = 'captured' WHERE captured_at IS NOT NULL AND paid_at IS NULL;

INSERT INTO stock (warehouse_id, variant_id, on_hand)
SELECT m.warehouse_id, m.variant_id, m.quantity FROM stock_moves m WHERE m.reason = 'count'
ON DUPLICATE KEY UPDATE on_hand = stock.on_hand + m.quantity, counted_at = moved_at;

REPLACE INTO countries SET code = 'ZZ', name = CONCAT('Land ', code), currency = DEFAULT(currency);

SELECT old_orders.* FROM webshop_archive.old_orders;

SELECT webshop_archive.old_orders.*, c.email FROM webshop_archive.old_orders JOIN customers c ON c.id = webshop_archive.old_orders.customer_id;

SELECT webshop_archive.payments.booked_on, orders.total FROM webshop_archive.payments, orders WHERE orders.id = payments.order_id AND payments.amount > 1;

SELECT booked_on, captured_at, webshop_archive.payments.booked_on AS b FROM payments, webshop_archive.payments WHERE booked_on = captured_at;

SELECT new_pay.amount, payments.amount FROM payments AS new_pay JOIN webshop_archive.payments ON webshop_archive.payments.order_id = new_pay.order_id;

SELECT k.* FROM (SELECT k.*, k.vat_rate AS rate FROM countries k) AS k WHERE k.rate = k.vat_rate;

SELECT COUNT(*), o.customer_id FROM orders o JOIN payments USING (id) GROUP BY o.customer_id, id;

SELECT a.total FROM (SELECT b.total FROM (SELECT c.total FROM (SELECT total FROM orders) c) b) a;

SELECT p.name, x.name FROM products p, (SELECT p.name FROM categories p) x, (SELECT brands.name FROM brands) y WHERE p.name = x.name AND y.name <> x.name;

SELECT id FROM orders o WHERE id = (SELECT MAX(o.id) FROM orders o) OR id = (SELECT MIN(p.id) FROM payments p WHERE p.order_id = o.id);

SELECT on_hand AS available, available AS on_hand FROM stock ORDER BY available + 0, on_hand;

SELECT status, COUNT(*) AS status_count FROM orders AS status GROUP BY status.status ORDER BY status.status;

SELECT s.product_id, SUM(s.available) AS available FROM stock_summary s GROUP BY s.product_id HAVING SUM(s.available) < 0 OR available > 100;

SELECT IF(@row IS NULL, @row := 1, @row := @row + 1) AS pos, t.name FROM (SELECT name FROM brands ORDER BY name) t;

SELECT m.reason, m.n, r.reason AS why FROM (SELECT reason, COUNT(*) AS n FROM stock_moves GROUP BY reason) m LEFT JOIN (SELECT DISTINCT reason FROM `returns`) r ON r.reason = m.reason ORDER BY why, n;

SELECT DISTINCT o.channel AS c, c.status FROM orders o JOIN customers c ON c.id = o.customer_id ORDER BY c.status, c;

SELECT id, name FROM warehouses w WHERE EXISTS (SELECT 1 FROM stock WHERE warehouse_id = w.id AND variant_id IN (SELECT id FROM product_variants WHERE product_id IN (SELECT id FROM products WHERE supplier_id IN (SELECT id FROM suppliers WHERE suppliers.country_code = w.country_code AND products.cost > stock.on_hand))));

DELETE i FROM order_items i JOIN (SELECT order_id, MAX(line_no) AS line_no FROM order_items GROUP BY order_id HAVING COUNT(*) > 99) last_line USING (order_id, line_no) WHERE quantity = 0 AND last_line.line_no > 99;


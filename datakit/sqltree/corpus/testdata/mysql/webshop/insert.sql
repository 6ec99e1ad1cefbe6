INSERT INTO brands (name, country_code, founded) VALUES ('Nordlicht', 'DE', 1998);

INSERT INTO categories (name, slug, parent_id) VALUES ('Chairs', 'chairs', 3), ('Tables', 'tables', 3), ('Lamps', 'lamps', NULL);

insert into countries values ('SE', 'Sweden', 'SEK', 25.00, 1);

INSERT INTO `customers` (`email`, `first_name`, `last_name`, `country_code`, `created_at`) VALUES (?, ?, ?, ?, NOW());

INSERT INTO orders SET number = 'W-2024-0001', customer_id = 1001, status = 'placed', total = 99.90, placed_at = DEFAULT;

INSERT IGNORE INTO coupons (code, kind, value, valid_from) VALUES ('WELCOME', 'percent', 10, CURDATE());

INSERT LOW_PRIORITY INTO page_views (viewed_at, visitor, url) VALUES (NOW(), MD5(UUID()), '/');

INSERT HIGH_PRIORITY IGNORE stock_moves (warehouse_id, variant_id, quantity, reason) VALUES (1, 2, -1, 'loss');

INSERT IGNORE INTO addresses () VALUES (), ();

INSERT INTO orders (number, customer_id, total) VALUES (CONCAT('W-', DATE_FORMAT(NOW(), '%Y%m%d'), '-', LPAD(1, 4, '0')), (SELECT id FROM customers WHERE email = 'a@example.org'), 10 * 1.19);

INSERT INTO stock (warehouse_id, variant_id, on_hand, counted_at)
VALUES (1, 10, 25, NOW())
ON DUPLICATE KEY UPDATE on_hand = on_hand + VALUES(on_hand), counted_at = VALUES(counted_at);

INSERT INTO cart_items (session_id, variant_id, quantity) VALUES (UNHEX(?), ?, 1) ON DUPLICATE KEY UPDATE quantity = quantity + 1, added_at = CURRENT_TIMESTAMP;

INSERT INTO stock (warehouse_id, variant_id, on_hand)
SELECT m.warehouse_id, m.variant_id, SUM(m.quantity)
FROM stock_moves m
WHERE m.moved_at >= CURDATE()
GROUP BY m.warehouse_id, m.variant_id
ON DUPLICATE KEY UPDATE stock.on_hand = stock.on_hand + VALUES(on_hand);

INSERT INTO customers (email, loyalty_points) VALUES ('x@example.org', 5)
ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), loyalty_points = GREATEST(loyalty_points, VALUES(loyalty_points)), updated_at = IF(VALUES(loyalty_points) > loyalty_points, NOW(), updated_at);

INSERT INTO webshop_archive.old_orders (id, number, customer_id, status, total, placed_at)
SELECT id, number, customer_id, status, total, placed_at
FROM orders
WHERE placed_at < NOW() - INTERVAL 5 YEAR;

INSERT INTO reviews (product_id, customer_id, rating, title)
SELECT v.product_id, o.customer_id, 5, 'automatic'
FROM orders o
JOIN order_items i ON i.order_id = o.id
JOIN product_variants v ON v.id = i.variant_id
LEFT JOIN reviews r ON r.product_id = v.product_id AND r.customer_id = o.customer_id
WHERE r.id IS NULL AND o.status = 'delivered';

INSERT INTO products (sku, category_id, brand_id, name, price, cost, attributes, status)
SELECT CONCAT(sku, '-B'), category_id, brand_id, CONCAT(name, ' (B-stock)'), price * 0.7, cost, JSON_SET(COALESCE(attributes, '{}'), '$.condition', 'used'), 'draft'
FROM products AS src
WHERE src.id = ?;

INSERT INTO order_items (order_id, line_no, variant_id, quantity, unit_price)
SELECT 4711, ROW_NUMBER() OVER (ORDER BY ci.added_at), ci.variant_id, ci.quantity, p.price + v.price_delta
FROM cart_items ci
JOIN product_variants v ON v.id = ci.variant_id
JOIN products p ON p.id = v.product_id
WHERE ci.session_id = UNHEX('00112233445566778899aabbccddeeff');

INSERT INTO countries (code, name) (SELECT 'XX', 'Unknown' FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM countries WHERE code = 'XX'));

INSERT INTO page_views PARTITION (pmax) (viewed_at, visitor, url) VALUES ('2025-06-01 10:00:00', 'abc', '/home');

INSERT INTO suppliers (name, country_code, contact, active) VALUES ('Holz & Co', 'AT', JSON_OBJECT('mail', 'info@holz.example', 'phones', JSON_ARRAY('+43 1 234')), b'1');

INSERT INTO warehouses (code, name, country_code, location, opened_on) VALUES ('BER', 'Berlin', 'DE', ST_GeomFromText('POINT(13.4 52.5)'), '2015-04-01'), ('VIE', 'Vienna', 'AT', POINT(16.37, 48.2), DATE '2018-09-01');

INSERT INTO AuditLog (`Table`, `Key`, ActorName, `Before`, `After`) VALUES ('orders', '1', USER(), NULL, '{"status": "paid"}');

INSERT INTO payments (order_id, method, amount) SELECT o.id, 'invoice', o.total FROM orders o WHERE o.status = 'placed' AND NOT EXISTS (SELECT * FROM payments p WHERE p.order_id = o.id);

INSERT INTO coupons (code, value, valid_from, valid_to)
SELECT UPPER(LEFT(MD5(CONCAT(c.id, RAND())), 10)), 15, CURDATE(), CURDATE() + INTERVAL 30 DAY
FROM customers c
WHERE DATE_FORMAT(c.birth_date, '%m-%d') = DATE_FORMAT(CURDATE(), '%m-%d');

INSERT INTO categories (name, slug, position)
SELECT 'Sale', 'sale', MAX(position) + 1 FROM categories ON DUPLICATE KEY UPDATE is_visible = 1;

INSERT INTO shipments (order_id, warehouse_id, carrier)
SELECT o.id, (SELECT s.warehouse_id FROM stock s JOIN order_items i ON i.variant_id = s.variant_id WHERE i.order_id = o.id ORDER BY s.on_hand DESC LIMIT 1), 'DHL'
FROM orders o
WHERE o.status = 'packed'
ON DUPLICATE KEY UPDATE carrier = VALUES(carrier);

INSERT INTO brands (name) VALUES ('A'), ('B') ON DUPLICATE KEY UPDATE website = CONCAT(IFNULL(website, ''), '#', VALUES(name));

REPLACE INTO coupons (code, kind, value, valid_from) VALUES ('SUMMER', 'amount', 20, '2024-06-01');

REPLACE INTO stock SET warehouse_id = 1, variant_id = 10, on_hand = 3;

REPLACE LOW_PRIORITY INTO stock (warehouse_id, variant_id, on_hand, reserved)
SELECT s.warehouse_id, s.variant_id, 0, 0 FROM stock AS s WHERE s.counted_at < '2020-01-01';

REPLACE webshop_archive.old_orders (id, number, customer_id, status, total, placed_at) SELECT o.id, o.number, o.customer_id, o.status, o.total, o.placed_at FROM orders o WHERE o.id = ?;

INSERT INTO stock_moves (warehouse_id, variant_id, quantity, reason, reference) VALUES (?, ?, ?, 'sale', ?), (?, ?, ?, 'sale', ?);

INSERT INTO `returns` (order_id, line_no, quantity, reason, `condition`, refund)
VALUES (100, 1, 1, 'too small', 'opened', (SELECT unit_price * 0.8 FROM order_items WHERE order_id = 100 AND line_no = 1));

INSERT INTO products (sku, category_id, name, price, margin) VALUES ('T-1', 1, 'Test', 1, DEFAULT);

INSERT INTO customers (email, status, segments) VALUES ('b2b@example.org', DEFAULT(status), 'b2b,newsletter');

INSERT INTO reviews (product_id, rating, body) VALUES (1, 4, 'Fine'), (2, 5, NULL), (3, ROUND(1 + RAND() * 4), DEFAULT)

ON DUPLICATE KEY UPDATE helpful = reviews.helpful + 1;

INSERT INTO addresses (customer_id, line1, city, postcode, country_code)
SELECT a.customer_id, a.line1, a.city, a.postcode, a.country_code
FROM (
  SELECT customer_id, line1, city, postcode, country_code, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY id DESC) AS rn
  FROM addresses
  WHERE kind = 'billing'
) AS a
WHERE a.rn = 1;

-- MySQL 8: row alias instead of VALUES()
INSERT INTO stock (warehouse_id, variant_id, on_hand) VALUES (1, 10, 5) AS new ON DUPLICATE KEY UPDATE on_hand = stock.on_hand + new.on_hand;

INSERT INTO coupons (code, value, valid_from) VALUES ('ONE', 1, CURDATE()), ('TWO', 2, CURDATE())
AS fresh (c, v, f)
ON DUPLICATE KEY UPDATE value = v, valid_from = LEAST(valid_from, f), used = IF(coupons.code = c, 0, used);

INSERT INTO customers SET email = 'set@example.org', loyalty_points = 7 AS n ON DUPLICATE KEY UPDATE loyalty_points = customers.loyalty_points + n.loyalty_points;

INSERT INTO stock (warehouse_id, variant_id, on_hand)
SELECT agg.w, agg.v, agg.q
FROM (SELECT warehouse_id AS w, variant_id AS v, SUM(quantity) AS q FROM stock_moves GROUP BY warehouse_id, variant_id) AS agg
ON DUPLICATE KEY UPDATE on_hand = agg.q, counted_at = NOW();

INSERT INTO brands (name, founded) VALUES ROW('Row One', 2001), ROW('Row Two', 2002);

INSERT INTO webshop_archive.old_orders (id, number, customer_id, status, total, placed_at)
SELECT * FROM (VALUES ROW(1, 'A', 2, 'paid', 3.5, NOW())) AS r (a, b, c, d, e, f)
ON DUPLICATE KEY UPDATE total = r.e;

INSERT INTO webshop_archive.old_orders TABLE webshop_archive.old_orders;

REPLACE INTO countries TABLE countries;

INSERT INTO stock (warehouse_id, variant_id, on_hand, reserved) VALUES (2, 10, 40, on_hand DIV 4);

INSERT INTO products SET sku = 'KIT-1', name = sku, category_id = 2, price = 50, cost = price / 2;


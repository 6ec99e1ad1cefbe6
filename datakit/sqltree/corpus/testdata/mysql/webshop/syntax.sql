SELECT /*!40001 SQL_NO_CACHE */ * FROM `orders`;

SELECT id /*!50000 , email */ FROM customers /* plain */ -- tail
;

SELECT 10--5 AS fifteen, total--1 AS t FROM orders;

SELECT o.1st, o.2nd_col FROM (SELECT id AS 1st, total AS 2nd_col FROM orders) AS o ORDER BY 1st;

SELECT date.date, time.time FROM (SELECT placed_on AS date FROM orders) AS date, (SELECT 1 AS time) AS time WHERE date.date > DATE('2024-01-01');

SELECT 1 AS `a``b`, 2 AS `c d`, 3 AS `select`, 4 'e''f', 5 AS "g", 6 AS $h, 7 AS k$;

SELECT @a := 1, @`my var` := 'x', @'other' := 2, @@session.time_zone, @@global.version_comment, @@max_allowed_packet;

SELECT * FROM customers LIMIT 18446744073709551615 OFFSET 10;

SELECT 1., .5, 1.e2, 1E-3, 0xAF, x'1F', X'', b'', 0b101, _binary'abc', _latin1 X'41', _utf8mb4 'é' COLLATE utf8mb4_general_ci, N'n', n'n';

SELECT NOT total BETWEEN 1 AND 2 AND id, - -total, NOT NOT id, ~id & 1, id ^ 2, id | total << 1, (id, total) = (1, 2), total IS NOT NULL IS TRUE FROM orders;

SELECT id FROM customers WHERE email LIKE BINARY 'A%' OR email REGEXP CONCAT('^', 'a') OR BINARY first_name = last_name OR email NOT LIKE '10!%%' ESCAPE '!';

SELECT id FROM orders WHERE note IS NOT UNKNOWN AND (total > 5) IS TRUE AND (note = 'x') IS NOT FALSE;

SELECT placed_at + INTERVAL -1 DAY, placed_at - INTERVAL (total DIV 2 + 1) HOUR, placed_at + INTERVAL '1 02:03' DAY_MINUTE, DATE_ADD(placed_at, INTERVAL id % 7 DAY), placed_at + INTERVAL total SECOND - INTERVAL '1-2' YEAR_MONTH
FROM orders;

SELECT placed_at + INTERVAL s.lead_days DAY AS due, s.name FROM orders, suppliers AS s WHERE s.lead_days < (SELECT MAX(lead_days) FROM suppliers) LIMIT 3;

SELECT CAST(NOW(3) AS TIME(3)), CAST(sku AS CHAR CHARACTER SET ascii), CAST(sku AS CHAR(3) CHARSET utf8mb4), CAST(price AS DECIMAL), CAST(price AS DECIMAL(5)), CAST(-1 AS UNSIGNED), CONVERT(price, CHAR(10)), CONVERT(price, UNSIGNED INTEGER), CAST(price AS SIGNED INT) FROM products;

SELECT UTC_DATE, UTC_DATE(), UTC_TIME(3), CURRENT_TIME, CURRENT_TIME(6), CURRENT_TIMESTAMP, CURRENT_TIMESTAMP(), LOCALTIMESTAMP, LOCALTIMESTAMP(2), SYSDATE(6), CURRENT_USER, CURDATE() + 0;

SELECT id, title FROM reviews WHERE MATCH title, body AGAINST ('sturdy') AND MATCH (body, title) AGAINST (CONCAT('+', 'cheap') IN BOOLEAN MODE);

SELECT HEX(WEIGHT_STRING(name AS CHAR(3))), HEX(WEIGHT_STRING(name)) FROM brands;

SELECT EXTRACT(DAY_MICROSECOND FROM moved_at), EXTRACT(SECOND_MICROSECOND FROM moved_at), EXTRACT(WEEK FROM moved_at), SUBSTRING(reference, 2, 3), SUBSTRING(reference FROM -3 FOR 2), TRIM(LEADING 'x' FROM (SELECT code FROM warehouses WHERE id = stock_moves.warehouse_id)) FROM stock_moves;

SELECT CONCAT ('a', 'b') AS spaced, IF (1, 2, 3), COALESCE
(NULL, 4);

SELECT SQL_BIG_RESULT DISTINCT channel, SQL_CALC FROM (SELECT channel, 1 AS SQL_CALC FROM orders) AS o;

SELECT ((SELECT 1)) AS a, (((SELECT COUNT(*) FROM orders))) + ((2)) AS b;

(((SELECT id FROM orders WHERE total > 1)));

(SELECT id, total FROM orders ORDER BY total DESC LIMIT 10) ORDER BY id LIMIT 3;

SELECT name FROM suppliers WHERE id IN ((SELECT supplier_id FROM products WHERE price > 9)) AND EXISTS ((SELECT 1 FROM products WHERE suppliers.id = supplier_id));

SELECT number FROM orders WHERE total = (SELECT 1 UNION SELECT 2 LIMIT 1) OR id IN ((SELECT order_id FROM payments) UNION (SELECT order_id FROM shipments));

SELECT id, CASE (SELECT COUNT(*) FROM order_items i WHERE i.order_id = orders.id) WHEN 0 THEN 'empty' WHEN 1 THEN 'single' ELSE 'several' END AS size FROM orders GROUP BY (SELECT c.country_code FROM customers c WHERE c.id = orders.customer_id), id;

SELECT s.id FROM suppliers s WHERE (SELECT MAX(p.price) FROM products p WHERE p.supplier_id = s.id) IS NULL AND s.rating <> ALL (SELECT rating FROM reviews) AND EXISTS (SELECT 1) + 1 = 2;

SELECT p.sku, c.slug FROM products p JOIN categories c ON c.id IN (SELECT parent_id FROM categories sub WHERE sub.id = p.category_id) AND c.position = (SELECT MIN(position) FROM categories);

SELECT * FROM ((orders o JOIN customers c ON c.id = o.customer_id) LEFT JOIN (shipments s CROSS JOIN warehouses w) ON s.order_id = o.id AND w.id = s.warehouse_id);

SELECT s.variant_id, on_hand, quantity FROM stock AS s NATURAL RIGHT JOIN (SELECT warehouse_id, variant_id, quantity FROM stock_moves) AS m;

SELECT code, k.name FROM countries k LEFT JOIN coupons USING (code) LEFT JOIN warehouses USING (code) WHERE code > 'B';

SELECT id, total FROM orders ORDER BY total LIMIT 1 INTO @cheapest_id, @cheapest_total;

(SELECT id FROM orders WHERE status = 'paid' LIMIT 1 FOR UPDATE) UNION ALL (SELECT id FROM orders WHERE status = 'placed' LIMIT 1);

WITH u AS ((SELECT id, name FROM brands) UNION (SELECT id, name FROM suppliers) ORDER BY name LIMIT 5) SELECT u.name FROM u FOR UPDATE;

SELECT x FROM ((WITH a AS (SELECT 1 AS x) SELECT x FROM a) UNION ALL (WITH a AS (SELECT 2 AS x) SELECT a.x FROM a)) AS both_of_them;

WITH o AS (SELECT id, total FROM orders)
SELECT o.id, inner_q.number
FROM o
JOIN (
  WITH o AS (SELECT id, number FROM webshop_archive.old_orders)
  SELECT o.id, o.number FROM o
) AS inner_q ON inner_q.id = o.id
WHERE o.total > 0;

UPDATE products SET price = (WITH m AS (SELECT AVG(i.unit_price) AS mean FROM order_items i) SELECT m.mean FROM m) WHERE price IS NULL;

DELETE FROM addresses WHERE customer_id IN (WITH gone AS (SELECT id FROM customers WHERE deleted_at IS NOT NULL) SELECT gone.id FROM gone);

INSERT INTO categories (name, slug, position) VALUES ('Z', 'z', (WITH p AS (SELECT MAX(position) AS top FROM brands, (SELECT 1 AS position) one) SELECT top + 1 FROM p));

INSERT INTO orders (orders.number, orders.customer_id) VALUE ('Q-1', 5);

INSERT brands SET brands.name = 'Q', brands.founded = DEFAULT(founded);

INSERT INTO stock VALUES (1, 1, DEFAULT, 0, DEFAULT, 3, NULL), (1, 2, 5, 0, DEFAULT, 3, CURRENT_TIMESTAMP) ON DUPLICATE KEY UPDATE stock.on_hand = VALUES(stock.on_hand) + stock.on_hand, reserved = DEFAULT(reserved);

UPDATE stock SET reorder_level = DEFAULT, reserved = DEFAULT(reserved) + 1, counted_at = DEFAULT WHERE on_hand = 0;

UPDATE (orders o INNER JOIN customers c ON c.id = o.customer_id) LEFT JOIN coupons k ON k.code = o.coupon_code SET o.note = NULL, k.used = k.used - 1 WHERE c.email = ?;

UPDATE orders CROSS JOIN (SELECT MAX(id) AS newest FROM customers) AS m SET orders.customer_id = m.newest WHERE orders.customer_id = 0;

DELETE FROM o.*, i.* USING orders o JOIN order_items i ON i.order_id = o.id WHERE o.number = 'TEST';

SELECT GROUP_CONCAT(DISTINCT v.colour ORDER BY 1), GROUP_CONCAT(v.size ORDER BY v.price_delta DESC, v.size), SUM(DISTINCT price_delta), COUNT(ALL v.id) FROM product_variants v;

SELECT ST_Area(POLYGON(LINESTRING(POINT(0, 0), POINT(0, 3), POINT(3, 0), POINT(0, 0)))), ST_Length(LINESTRING(POINT(0, 0), w.location)), MBRWithin(w.location, ST_Envelope(w.location)) FROM warehouses w;

SELECT count.count, max.max FROM (SELECT COUNT(*) AS count FROM orders) count, (SELECT MAX(total) AS max FROM orders) max;

SELECT comment, type, user, password, format, language, `key` FROM (SELECT note AS comment, status AS type, customer_id AS user, number AS password, 1 AS format, currency AS language, id AS `key` FROM orders) AS data;

SELECT id
FROM   orders
WHERE  total > 100      # expensive
  AND  -- only the web shop
       channel = 'web'  /* multi
                           line; with a semicolon */
  AND  note NOT LIKE '%;--%';

SELECT c.`id`,c.`email`,o.`total`+o.`shipping_cost`AS`sum`FROM`customers`c JOIN`orders`o ON c.`id`=o.`customer_id`WHERE(o.`total`>1)AND(c.`status`='active');

SELECT BIT_XOR(total), BIT_AND(total), STD(total), STDDEV(total), VAR_SAMP(total), SUM(total) / COUNT(*), AVG(DISTINCT total) FROM orders WHERE total HAVING SUM(total);

SELECT SUM(total > 10 AND status = 'paid') AS big, COUNT(status = 'paid' OR NULL) AS paid, MAX(IF(channel = 'app', placed_at, NULL)) last_app, MIN(CASE channel WHEN 'web' THEN placed_at END) first_web FROM orders;

SHOW TABLES LIKE 'order%';

SHOW FULL COLUMNS FROM orders WHERE Field = 'status';

HANDLER orders OPEN AS h;

DO SLEEP(0), @x := 1;

LOAD DATA LOCAL INFILE 'stock.csv' INTO TABLE stock FIELDS TERMINATED BY ';' IGNORE 1 LINES (warehouse_id, variant_id, @qty) SET on_hand = @qty + 0, counted_at = NOW();

START TRANSACTION WITH CONSISTENT SNAPSHOT;

LOCK TABLES orders WRITE, customers AS c READ;

ANALYZE TABLE orders, order_items;


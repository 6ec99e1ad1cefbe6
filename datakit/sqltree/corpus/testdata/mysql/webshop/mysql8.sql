SELECT c.id, c.email, latest.number, latest.total
FROM customers c
JOIN LATERAL (
  SELECT o.number, o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.placed_at DESC LIMIT 3
) AS latest ON TRUE;

SELECT c.name, top.sku, top.price
FROM categories c
LEFT JOIN LATERAL (SELECT p.sku, p.price FROM products p WHERE p.category_id = c.id ORDER BY p.price DESC LIMIT 1) top ON top.price > 100
ORDER BY c.name;

SELECT o.number, sums.goods, taxes.tax
FROM orders o,
     LATERAL (SELECT SUM(i.line_total) AS goods FROM order_items i WHERE i.order_id = o.id) AS sums,
     LATERAL (SELECT sums.goods * 0.19 AS tax) AS taxes
WHERE o.total <> sums.goods + taxes.tax;

SELECT w.code, a.units, b.units
FROM warehouses w
CROSS JOIN LATERAL (SELECT SUM(s.on_hand) FROM stock s WHERE s.warehouse_id = w.id) AS a (units)
CROSS JOIN LATERAL (SELECT SUM(m.quantity), MAX(m.moved_at) FROM stock_moves m WHERE m.warehouse_id = w.id) AS b (units, last_move)
WHERE b.last_move < NOW() - INTERVAL 7 DAY;

SELECT d.ch, d.n FROM (SELECT channel, COUNT(*) FROM orders GROUP BY channel) AS d (ch, n) WHERE d.n > 100;

SELECT o.channel, o.status, SUM(o.total) AS revenue, GROUPING(o.channel) AS all_channels, GROUPING(o.channel, o.status) AS lvl
FROM orders o
GROUP BY o.channel, o.status WITH ROLLUP
HAVING lvl < 3
ORDER BY GROUPING(o.channel), o.channel, GROUPING(o.status), o.status;

SELECT IF(GROUPING(country_code), 'all', country_code) AS country, COUNT(*) AS n FROM customers GROUP BY country_code WITH ROLLUP ORDER BY n DESC;

SELECT customer_id, ANY_VALUE(number) AS some_number, MAX(placed_at) FROM orders GROUP BY customer_id;

SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.status = 'paid' ORDER BY o.id LIMIT 5 FOR UPDATE OF o SKIP LOCKED;

SELECT o.id, s.on_hand FROM orders o JOIN order_items i ON i.order_id = o.id JOIN stock s ON s.variant_id = i.variant_id WHERE o.id = ? FOR SHARE OF o, i NOWAIT FOR UPDATE OF s;

SELECT * FROM coupons WHERE code = 'SPRING' FOR SHARE;

SELECT id FROM customers WHERE email = ? FOR SHARE SKIP LOCKED;

SELECT /*+ MAX_EXECUTION_TIME(2000) JOIN_ORDER(c, o) */ c.email, SUM(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.email;

SELECT /*+ BKA(o) NO_HASH_JOIN(c, o) INDEX_MERGE(o ix_orders_customer, ix_orders_status) */ o.id
FROM orders o LEFT JOIN customers c USING (id)
WHERE o.customer_id = 1 OR o.status = 'paid';

SELECT /*+ SEMIJOIN(@sub MATERIALIZATION) */ p.sku FROM products p WHERE p.id IN (SELECT /*+ QB_NAME(sub) */ r.product_id FROM reviews r WHERE r.rating = 5);

SELECT REGEXP_LIKE(email, '^[a-z.]+@example\\.org$', 'i') AS ok, email FROM customers WHERE REGEXP_LIKE(last_name, '[[:digit:]]');

SELECT BIN_TO_UUID(session_id) AS session, SUM(quantity) FROM cart_items WHERE session_id = UUID_TO_BIN(?, 1) OR IS_UUID(?) GROUP BY session_id;

SELECT CAST(c.updated_at AT TIME ZONE '+00:00' AS DATETIME(3)) AS utc, CAST(YEAR(c.birth_date) AS YEAR), CAST(c.loyalty_points AS FLOAT) FROM customers c;

SELECT name FROM products ORDER BY name COLLATE utf8mb4_0900_as_cs, CONVERT(name USING utf8mb4) COLLATE utf8mb4_de_pb_0900_ai_ci DESC;

SELECT TIMESTAMP '2024-06-01 12:00:00+02:00' AS moment, CAST('2024-06-01 12:00:00+02:00' AS DATETIME);

WITH RECURSIVE s (n, fib, next_fib) AS (
  SELECT 1, CAST(0 AS UNSIGNED), CAST(1 AS UNSIGNED)
  UNION ALL
  SELECT n + 1, next_fib, fib + next_fib FROM s
  LIMIT 20
)
SELECT s.n, s.fib FROM s WHERE s.n > (SELECT MIN(v.column_0) FROM (VALUES ROW(3), ROW(5)) AS v);

SELECT p.id FROM products p WHERE p.id = SOME (SELECT r.column_0 FROM (VALUES ROW(1), ROW(7)) AS r);

SELECT v.id, v.price_delta FROM product_variants v WHERE (v.colour, v.size) IN (VALUES ROW('red', 'M'), ROW('blue', 'L'));

(TABLE countries ORDER BY name LIMIT 2) UNION ALL (SELECT * FROM countries WHERE in_eu = 0);

SELECT customer_id, total, SUM(total) OVER (PARTITION BY customer_id ORDER BY placed_at RANGE INTERVAL 30 DAY PRECEDING) AS rolling
FROM orders
WHERE status <> 'cart';

SELECT FIRST_VALUE(p.name) OVER (w ROWS UNBOUNDED PRECEDING) AS first_name, LAST_VALUE(p.name) RESPECT NULLS OVER (w RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM products p WINDOW w AS (ORDER BY p.price);

WITH stale AS (
  SELECT DISTINCT s.warehouse_id, s.variant_id FROM stock s WHERE s.counted_at IS NULL OR s.counted_at < NOW() - INTERVAL 180 DAY
)
UPDATE stock INNER JOIN stale USING (warehouse_id, variant_id)
SET stock.counted_at = NOW(), stock.reserved = LEAST(stock.reserved, stock.on_hand);

WITH RECURSIVE sub AS (
  SELECT id FROM categories WHERE slug = 'outlet'
  UNION ALL
  SELECT c.id FROM categories c JOIN sub ON sub.id = c.parent_id
)
UPDATE products SET status = 'retired' WHERE category_id IN (SELECT id FROM sub) ORDER BY id LIMIT 500;

WITH dup (keep_id, email) AS (SELECT MIN(id), LOWER(email) FROM customers GROUP BY LOWER(email) HAVING COUNT(*) > 1)
DELETE c FROM customers AS c JOIN dup ON LOWER(c.email) = dup.email WHERE c.id <> dup.keep_id;

INSERT INTO customers (email, loyalty_points)
VALUES (?, ?) AS incoming
ON DUPLICATE KEY UPDATE
  loyalty_points = customers.loyalty_points + incoming.loyalty_points,
  status = IF(incoming.loyalty_points > 100, 'active', customers.status);

INSERT INTO stock_moves (warehouse_id, variant_id, quantity, reason)
SELECT s.warehouse_id, s.variant_id, need.qty, 'receipt'
FROM stock s, LATERAL (SELECT s.reorder_level - s.available AS qty) AS need
WHERE need.qty > 0;

UPDATE orders o, LATERAL (SELECT SUM(i.line_total) AS goods FROM order_items i WHERE i.order_id = o.id) AS l
SET o.total = l.goods + o.shipping_cost
WHERE o.status = 'placed';

SELECT c.id, tags.tag
FROM customers c
JOIN JSON_TABLE(CAST(c.preferences->'$.tags' AS JSON), '$[*]' COLUMNS (pos FOR ORDINALITY, tag VARCHAR(30) PATH '$' ERROR ON ERROR)) AS tags
WHERE tags.tag MEMBER OF (c.preferences->'$.favourites');

SELECT u.id, u.src FROM (TABLE webshop_archive.old_orders) AS t JOIN LATERAL (SELECT t.id, 'old' AS src UNION ALL SELECT o.id, 'new' FROM orders o WHERE o.customer_id = t.customer_id) AS u ON u.id > 0;

SELECT status, STATEMENT_DIGEST_TEXT('SELECT 1'), JSON_ARRAYAGG(id) OVER (PARTITION BY status) FROM orders WHERE meta->>"$.source" = 'import';

SELECT ST_Latitude(location), ST_Longitude(location), ST_Transform(location, 3857) FROM warehouses WHERE ST_SRID(location) = 4326;

SELECT a.name, (SELECT x.total FROM LATERAL (SELECT SUM(i.line_total) AS total FROM order_items i JOIN product_variants v ON v.id = i.variant_id WHERE v.product_id = a.id) AS x) AS sold
FROM active_products a
ORDER BY sold DESC;

SELECT k.name FROM countries k WHERE EXISTS (TABLE coupons LIMIT 1) AND ('DE', 19.00) = ANY (SELECT q.c, q.v FROM (SELECT code, vat_rate FROM countries) AS q (c, v) WHERE q.c = k.code);

SELECT /*+ SET_VAR(optimizer_switch = 'mrr_cost_based=off') NO_RANGE_OPTIMIZATION(o PRIMARY) SUBQUERY(@sq INTOEXISTS) */ o.id, (SELECT /*+ QB_NAME(sq) */ COUNT(*) FROM payments p WHERE p.order_id = o.id) AS tries
FROM orders AS o IGNORE INDEX FOR JOIN (PRIMARY) USE INDEX FOR ORDER BY (ix_orders_status, ix_orders_customer)
WHERE o.total > 10
ORDER BY o.status, o.placed_at;


SELECT 1;

SELECT id, number, total FROM orders WHERE status = 'paid' ORDER BY placed_at DESC LIMIT 20;

select * from countries;

SELECT c.* FROM customers c WHERE c.email = ? LIMIT 1;

SELECT `customers`.`id`, `customers`.`email`, `customers`.`status` FROM `customers` WHERE `customers`.`deleted_at` IS NULL ORDER BY `customers`.`id` ASC LIMIT 25 OFFSET 50;

SELECT DISTINCT city
FROM addresses
WHERE country_code IN ('DE', 'AT', 'CH')
ORDER BY city;

SELECT p.name, p.price, p.price * 1.19 AS gross
FROM products p
WHERE p.price BETWEEN 10 AND 50
  AND p.name LIKE '%lamp%'
ORDER BY gross;

SELECT COUNT(*) FROM orders;

SELECT count(*) n, count(distinct customer_id) buyers, max(total) `largest order` FROM orders WHERE placed_at >= '2024-01-01';

SELECT 'a''b', "double quoted", N'national', _utf8mb4'text' COLLATE utf8mb4_bin, X'4D7953', 0x4D, b'1010', 0b11 FROM DUAL;

SELECT NOW(), CURRENT_DATE, CURRENT_TIMESTAMP(3), UTC_TIMESTAMP(), CURDATE(), LOCALTIME;

SELECT id, CONCAT(first_name, ' ', last_name) AS full_name
FROM customers
HAVING full_name LIKE 'A%'
ORDER BY full_name;

SELECT status, COUNT(*) AS n
FROM orders
GROUP BY status
HAVING n > 10
ORDER BY n DESC, status;

SELECT YEAR(placed_at) AS y, MONTH(placed_at) AS m, SUM(total) AS revenue
FROM orders
GROUP BY y, m
ORDER BY y, m;

SELECT SQL_NO_CACHE id, sku FROM products WHERE sku = 'LMP-0001';

SELECT SQL_CALC_FOUND_ROWS id, name FROM products WHERE status = 'active' LIMIT 40, 20;

SELECT FOUND_ROWS();

SELECT HIGH_PRIORITY SQL_SMALL_RESULT kind, AVG(value) FROM coupons GROUP BY kind;

SELECT -- the cheapest first
       sku,
       price # without tax
FROM   products /* only what is sold */
WHERE  status = 'active'
ORDER  BY price
LIMIT  10;

SELECT id FROM customers WHERE (first_name, last_name) = ('Ada', 'Berg');

SELECT id, email FROM customers WHERE phone <=> NULL;

SELECT id FROM customers WHERE phone IS NOT NULL AND NOT (status = 'closed' OR status = 'blocked') XOR loyalty_points > 100;

select id from orders where total > 100 && status != 'cancelled' || note is not null;

SELECT id, total DIV 10 AS tens, total MOD 10 AS rest, total % 7, -total, ~loyalty_mask, 1 << 3
FROM (SELECT id, total, 5 AS loyalty_mask FROM orders) AS o;

SELECT id, name FROM products WHERE name REGEXP '^[A-C].*[0-9]$' AND sku NOT RLIKE 'X{2}';

SELECT id FROM customers WHERE last_name SOUNDS LIKE 'meier';

SELECT url FROM page_views WHERE url LIKE '%\_promo|%%' ESCAPE '|' LIMIT 5;

SELECT name FROM brands WHERE founded IS NULL OR founded NOT BETWEEN 1990 AND 2010;

SELECT code, name, IF(in_eu, 'EU', 'other') area FROM countries ORDER BY FIELD(code, 'FR', 'DE') DESC, name;

SELECT id,
       CASE status WHEN 'new' THEN 'fresh' WHEN 'active' THEN 'ok' ELSE 'gone' END AS state,
       CASE WHEN loyalty_points >= 1000 THEN 'gold' WHEN loyalty_points >= 100 THEN 'silver' END AS tier
FROM customers;

SELECT IFNULL(phone, 'n/a'), NULLIF(last_name, ''), COALESCE(birth_date, DATE '1900-01-01'), ISNULL(deleted_at) FROM customers;

SELECT c.email AS `e-mail`, c.id 'customer id', c.status "the status" FROM customers AS c;

SELECT o.id, o.total FROM orders AS o ORDER BY 2 DESC, 1 LIMIT 3;

SELECT MAX(id) INTO @last_order FROM orders;

SELECT id, total, total * @fx AS usd FROM orders WHERE currency = 'EUR' AND id <= @last_order;

SELECT * FROM products WHERE FIND_IN_SET(status, 'draft,active') AND NOT ISNULL(weight_g);

SELECT id FROM customers WHERE FIND_IN_SET('vip', segments) > 0;

SELECT segments + 0 AS bits, BIT_COUNT(segments) AS how_many FROM customers WHERE segments & 1;

SELECT w.code, ST_X(w.location) AS lon, ST_Y(w.location) AS lat, ST_AsText(w.location) wkt
FROM warehouses w
WHERE w.closed_on IS NULL;

SELECT HEX(session_id), quantity FROM cart_items WHERE session_id = UNHEX(REPLACE(?, '-', ''));

SELECT INET6_NTOA(ip), COUNT(*) hits FROM page_views GROUP BY ip ORDER BY hits DESC LIMIT 100;

SELECT AuditLog.Id, AuditLog.`Table`, `Key`, actorname, CHANGEDAT FROM AuditLog WHERE `Before` IS NULL;

SELECT @@version, @@session.sql_mode, @@global.max_connections, DATABASE(), CURRENT_USER();

SELECT LAST_INSERT_ID();

SELECT TRUE, FALSE, NULL, NOT TRUE, !0, 1 = 1, 1.5e3, .5;

SELECT DISTINCTROW carrier FROM shipments;

SELECT ALL carrier FROM shipments WHERE delivered_at IS NULL;

SELECT BINARY email = 'A@B.C', CAST(email AS BINARY) FROM customers;

SELECT o . id, o.`number` FROM `orders` o WHERE o.customer_id=17 AND o.`status` in ('placed','paid')
;

SELECT number, LENGTH(note) AS note_length FROM orders WHERE note <> '' ORDER BY note_length DESC, number COLLATE utf8mb4_bin LIMIT 10;

SELECT id, position FROM categories WHERE position > 0 AND POSITION('-' IN slug) = 0 ORDER BY position;

SELECT COUNT(IF(approved, 1, NULL)) AS approved_count, SUM(rating = 5) AS five_star, AVG(rating) AS mean, STD(rating), VAR_POP(rating), BIT_OR(helpful) FROM reviews WHERE product_id = ?;

SELECT webshop_archive.old_orders.number, old_orders.total FROM webshop_archive.old_orders WHERE archived_at < '2022-01-01';

SELECT a.id, a.number FROM webshop_archive.old_orders a WHERE a.status = 'refunded';

SELECT `value`, `kind`, code FROM coupons WHERE `value` > 10 AND CURDATE() BETWEEN valid_from AND IFNULL(valid_to, '9999-12-31');

SELECT max_uses - used AS remaining FROM coupons HAVING remaining <= 0;

SELECT id, 'total' AS label, total FROM orders WHERE id = 1 OR id = 2 OR (id > 100 AND id < 110);


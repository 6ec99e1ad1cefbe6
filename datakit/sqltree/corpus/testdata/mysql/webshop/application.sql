SELECT t0.id AS id1_0_, t0.email AS email2_0_, t0.first_name AS first_na3_0_, t1.id AS id1_1_, t1.city AS city2_1_ FROM customers t0 LEFT OUTER JOIN addresses t1 ON t0.id = t1.customer_id WHERE t0.id = ?;

SELECT `Customer`.`id`, `Customer`.`email`, `Orders`.`id` AS `Orders.id`, `Orders`.`total` AS `Orders.total` FROM `customers` AS `Customer` LEFT OUTER JOIN `orders` AS `Orders` ON `Customer`.`id` = `Orders`.`customer_id` AND `Orders`.`status` = 'paid' WHERE (`Customer`.`deleted_at` IS NULL AND `Customer`.`id` = 7);

SELECT COUNT(*) AS aggregate FROM `products` WHERE `category_id` IN (?, ?, ?) AND `status` = ? AND EXISTS (SELECT * FROM `product_variants` WHERE `products`.`id` = `product_variants`.`product_id` AND `colour` = ?);

SELECT 1 AS one FROM `customers` WHERE `customers`.`email` = BINARY 'a@example.org' LIMIT 1;

SELECT subscriptions.n, `__tmp`.* FROM (SELECT * FROM `coupons` ORDER BY `valid_from` DESC LIMIT 10) AS `__tmp`, (SELECT COUNT(*) AS n FROM coupons) AS subscriptions;

SELECT * FROM orders WHERE id = ? FOR UPDATE;

SELECT on_hand, reserved FROM stock WHERE warehouse_id = ? AND variant_id IN (?, ?) ORDER BY variant_id LOCK IN SHARE MODE;

SELECT o.id FROM orders o WHERE o.status = 'paid' ORDER BY o.paid_at LIMIT 10 FOR UPDATE SKIP LOCKED;

SELECT v.id, s.on_hand FROM product_variants v JOIN stock s ON s.variant_id = v.id WHERE v.sku = ? FOR UPDATE NOWAIT;

SELECT p.* FROM products p WHERE (p.created_at, p.id) < (?, ?) ORDER BY p.created_at DESC, p.id DESC LIMIT 21;

SELECT id, email FROM customers WHERE id > 5000 AND deleted_at IS NULL ORDER BY id LIMIT 1000;

select c1.id, c1.name, (select count(*) from categories c2 where c2.parent_id = c1.id) as children, c1.parent_id is null as is_root from categories c1 order by c1.position, c1.name;

SELECT `t`.`id`, `t`.`number`, `c`.`email`
FROM (
    SELECT `o`.`id`, `o`.`number`, `o`.`customer_id`
    FROM `orders` AS `o`
    WHERE `o`.`status` = 'placed'
    ORDER BY `o`.`placed_at`
    LIMIT 10 OFFSET 20
) AS `t`
INNER JOIN `customers` AS `c` ON `t`.`customer_id` = `c`.`id`
ORDER BY `t`.`id`;

SELECT DISTINCT `p`.`id`, `p`.`name` FROM `products` `p` INNER JOIN `product_variants` `v` ON (`v`.`product_id` = `p`.`id`) LEFT OUTER JOIN `stock` `T4` ON (`v`.`id` = `T4`.`variant_id`) WHERE (`T4`.`on_hand` > 0 AND NOT (`p`.`status` = 'retired' AND `p`.`brand_id` IS NOT NULL)) ORDER BY `p`.`name` ASC;

SELECT IFNULL((SELECT price + price_delta FROM products JOIN product_variants ON product_variants.product_id = products.id WHERE product_variants.sku = ?), 0) AS price;

SELECT v.id, v.sku, p.name, ROUND((p.price + v.price_delta) * (1 + k.vat_rate / 100), 2) AS gross, COALESCE(ss.available, 0) > 0 AS in_stock
FROM product_variants v
JOIN products p ON p.id = v.product_id
JOIN countries k ON k.code = ?
LEFT JOIN stock_summary ss ON ss.variant_id = v.id
WHERE p.status = 'active'
  AND (? IS NULL OR p.brand_id = ?)
ORDER BY CASE ? WHEN 'price' THEN p.price WHEN 'name' THEN p.name END, v.id;

SELECT ci.variant_id, ci.quantity, ci.quantity * (p.price + v.price_delta) AS line_total, LEAST(ci.quantity, IFNULL(ss.available, 0)) AS deliverable
FROM cart_items ci
JOIN product_variants v ON v.id = ci.variant_id
JOIN products p ON p.id = v.product_id
LEFT JOIN stock_summary ss ON ss.variant_id = ci.variant_id
WHERE ci.session_id = UNHEX(?) OR (ci.customer_id = ? AND ci.expires_at IS NULL)
ORDER BY ci.added_at;

SELECT * FROM coupons WHERE code = UPPER(?) AND CURDATE() >= valid_from AND (valid_to IS NULL OR CURDATE() <= valid_to) AND (max_uses IS NULL OR used < max_uses) LIMIT 1;

SELECT p.id, p.name, COUNT(*) AS common
FROM order_items i1
JOIN order_items i2 ON i2.order_id = i1.order_id AND i2.variant_id <> i1.variant_id
JOIN product_variants v1 ON v1.id = i1.variant_id
JOIN product_variants v2 ON v2.id = i2.variant_id
JOIN products p ON p.id = v2.product_id
WHERE v1.product_id = ? AND p.id <> v1.product_id AND p.status = 'active'
GROUP BY p.id, p.name
ORDER BY common DESC
LIMIT 6;

SELECT r.rating, r.title, r.body, CONCAT(LEFT(c.first_name, 1), '. ', c.last_name) AS author
FROM reviews r LEFT JOIN customers c ON c.id = r.customer_id AND c.deleted_at IS NULL
WHERE r.product_id = ? AND r.approved = TRUE
ORDER BY r.helpful DESC, r.created_at DESC LIMIT 0, 5;

SELECT a.* FROM addresses AS a WHERE a.customer_id = ? AND a.kind = 'billing' LIMIT 1;

SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION;

SELECT t.table_name AS tbl, t.table_rows, ROUND((t.data_length + t.index_length) / 1024 / 1024, 1) AS mb FROM information_schema.tables t WHERE t.table_schema = DATABASE() AND t.table_type = 'BASE TABLE' ORDER BY mb DESC;

SELECT k.table_name, k.column_name, k.referenced_table_name, rc.delete_rule
FROM information_schema.key_column_usage k
JOIN information_schema.referential_constraints rc ON rc.constraint_schema = k.constraint_schema AND rc.constraint_name = k.constraint_name
WHERE k.referenced_table_name = 'orders';

SELECT id, user, time, info FROM information_schema.processlist WHERE command <> 'Sleep' AND time > 60;

SELECT GET_LOCK('nightly', 10), IS_FREE_LOCK('nightly'), RELEASE_LOCK('nightly');

SELECT EXISTS(SELECT 1 FROM orders WHERE number = ?) AS `exists`;

SELECT orders.id, orders.status, customers.email AS customer, (SELECT carrier FROM shipments WHERE order_id = orders.id ORDER BY id DESC LIMIT 1) AS carrier FROM orders INNER JOIN customers ON customers.id = orders.customer_id WHERE orders.status = ? AND (customers.email LIKE ? OR orders.number LIKE ?) ORDER BY orders.placed_at DESC LIMIT ?, ?;

SELECT MIN(id), MAX(viewed_at), COUNT(*) FROM page_views JOIN customers ON customers.id = page_views.customer_id;

SELECT x.id, x.name FROM ((SELECT id, name, 1 AS prio FROM products WHERE sku = ?) UNION ALL (SELECT id, name, 2 FROM products WHERE name LIKE CONCAT(?, '%') LIMIT 10)) AS x ORDER BY x.prio, x.name;

SELECT w.id, w.name,
    ( 6371 * ACOS( COS( RADIANS(?) ) * COS( RADIANS( ST_Y(w.location) ) ) * COS( RADIANS( ST_X(w.location) ) - RADIANS(?) )
      + SIN( RADIANS(?) ) * SIN( RADIANS( ST_Y(w.location) ) ) ) ) AS distance
FROM warehouses w
WHERE w.closed_on IS NULL
HAVING distance < 100
ORDER BY distance;

SELECT CRC32(CONCAT_WS('#', id, status, ISNULL(paid_at), total)) AS row_crc, COALESCE(LOWER(CONV(BIT_XOR(CAST(CRC32(CONCAT_WS('#', id, status, total)) AS UNSIGNED)), 10, 16)), 0) AS chunk_crc FROM orders WHERE id BETWEEN 1 AND 1000;

SELECT a.Id, a.ChangedAt, a.ActorName FROM AuditLog a LEFT JOIN AuditLog newer ON newer.`Table` = a.`Table` AND newer.`Key` = a.`Key` AND newer.Id > a.Id WHERE newer.Id IS NULL;

SELECT DISTINCT `AuditLog`.`ActorName` AS `Actor` FROM `AuditLog` WHERE YEAR(`AuditLog`.`ChangedAt`) = YEAR(NOW()) GROUP BY `Actor` ORDER BY `Actor`;

SELECT id FROM orders WHERE status = 'paid' AND NOT EXISTS (SELECT NULL FROM shipments WHERE shipments.order_id = orders.id) AND id NOT IN (SELECT order_id FROM `returns`) ORDER BY paid_at IS NULL, paid_at;

SELECT p.sku FROM products p WHERE p.id = ANY (SELECT product_id FROM reviews WHERE customer_id = ?) AND p.price * (1 - ?) < p.cost;

/* admin list */ SELECT SQL_BUFFER_RESULT o.id, o.number, o.total, c.email, k.name AS country FROM orders o JOIN customers c ON o.customer_id = c.id LEFT JOIN countries k ON k.code = c.country_code WHERE o.placed_at >= ? AND o.placed_at < ? + INTERVAL 1 DAY ORDER BY o.id DESC LIMIT 50;

EXPLAIN SELECT * FROM orders WHERE customer_id = 5;

EXPLAIN FORMAT=JSON SELECT c.email, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.email;

EXPLAIN ANALYZE SELECT p.name FROM products p WHERE EXISTS (SELECT 1 FROM reviews r WHERE r.product_id = p.id);

DESCRIBE UPDATE stock SET reserved = 0 WHERE variant_id = 3;


UPDATE orders SET status = 'paid', paid_at = NOW() WHERE id = 1;

UPDATE `customers` SET `loyalty_points` = `loyalty_points` + ?, `updated_at` = CURRENT_TIMESTAMP WHERE `id` = ? AND `deleted_at` IS NULL;

update products set price = round(price * 1.05, 2) where category_id = 4 and status = 'active' order by id limit 100;

UPDATE IGNORE customers SET email = LOWER(TRIM(email));

UPDATE LOW_PRIORITY stock SET counted_at = NULL WHERE warehouse_id = (SELECT id FROM warehouses WHERE code = 'BER');

UPDATE stock s SET s.reserved = 0 WHERE s.reserved < 0;

UPDATE orders o
JOIN customers c ON c.id = o.customer_id
SET o.status = 'cancelled', o.cancelled_at = NOW(), c.status = 'blocked'
WHERE c.email LIKE '%@spam.example' AND o.status IN ('placed', 'cart');

UPDATE orders, payments
SET orders.paid_at = payments.captured_at
WHERE payments.order_id = orders.id
  AND payments.state = 'captured'
  AND orders.paid_at IS NULL;

UPDATE products p
LEFT JOIN product_variants v ON v.product_id = p.id
SET p.status = 'retired'
WHERE v.id IS NULL;

UPDATE stock AS s
INNER JOIN (
  SELECT i.variant_id, SUM(i.quantity) AS open_qty
  FROM order_items i
  INNER JOIN orders o ON o.id = i.order_id
  WHERE o.status IN ('placed', 'paid')
  GROUP BY i.variant_id
) AS open_lines ON open_lines.variant_id = s.variant_id
SET s.reserved = open_lines.open_qty
WHERE s.warehouse_id = 1;

UPDATE orders SET total = (SELECT SUM(line_total) FROM order_items WHERE order_id = orders.id) + shipping_cost WHERE status = 'placed';

UPDATE customers SET status = CASE WHEN loyalty_points > 500 THEN 'active' WHEN deleted_at IS NOT NULL THEN 'closed' ELSE status END;

UPDATE categories c SET c.position = (SELECT rn FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY name) AS rn FROM categories) AS numbered WHERE numbered.id = c.id);

UPDATE addresses SET is_default = (id = ?) WHERE customer_id = ? AND kind = 'shipping';

UPDATE coupons SET used = used + 1 WHERE code = ? AND (max_uses IS NULL OR used < max_uses) LIMIT 1;

UPDATE customers AS c
SET c.segments = CONCAT_WS(',', c.segments, 'vip')
WHERE NOT FIND_IN_SET('vip', c.segments)
  AND c.id IN (SELECT cv.customer_id FROM customer_value cv WHERE cv.lifetime_value > 5000);

UPDATE brands b, (SELECT brand_id, COUNT(*) n FROM products GROUP BY brand_id) x SET b.website = NULL WHERE x.brand_id = b.id AND x.n = 0;

UPDATE products SET supplier_id = NULL, brand_id = DEFAULT WHERE supplier_id IN (SELECT id FROM suppliers WHERE active = b'0');

UPDATE page_views PARTITION (p2023) SET ip = NULL, customer_id = NULL WHERE ip IS NOT NULL;

SET @pos = 0;

UPDATE categories SET position = (@pos := @pos + 10) WHERE parent_id = 3 ORDER BY name;

UPDATE order_items i
JOIN orders o ON (o.id, 1) = (i.order_id, i.line_no)
SET i.discount = 0
WHERE o.coupon_code IS NULL;

UPDATE order_items AS i
  JOIN orders AS o ON o.id = i.order_id
  JOIN coupons AS cp ON cp.code = o.coupon_code AND cp.kind = 'percent'
   SET i.discount = i.quantity * i.unit_price * cp.value / 100,
       o.note = CONCAT_WS('; ', o.note, CONCAT('coupon ', cp.code))
 WHERE o.placed_at BETWEEN cp.valid_from AND IFNULL(cp.valid_to, o.placed_at)
   AND cp.min_total <= o.total;

UPDATE active_products SET price = 9.99 WHERE id = 5;

UPDATE warehouses SET location = ST_GeomFromText(CONCAT('POINT(', ?, ' ', ?, ')')) WHERE code = ?;

UPDATE customers c NATURAL JOIN (SELECT customer_id AS id, SUM(total) AS spent FROM orders GROUP BY customer_id) s SET c.loyalty_points = FLOOR(s.spent);

UPDATE webshop_archive.old_orders oo JOIN orders o ON o.number = oo.number SET oo.status = o.status;

UPDATE webshop_archive.old_orders SET old_orders.archived_at = NOW() WHERE webshop_archive.old_orders.status = 'open';

UPDATE reviews r SET approved = 1 WHERE r.approved = 0 AND EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id JOIN product_variants v ON v.id = i.variant_id WHERE o.customer_id = r.customer_id AND v.product_id = r.product_id);

UPDATE customers child LEFT JOIN customers parent ON parent.id = child.referred_by SET child.referred_by = NULL WHERE parent.status = 'closed';

DELETE FROM cart_items WHERE expires_at < NOW();

delete from page_views where viewed_at < '2023-01-01' order by viewed_at limit 10000;

DELETE QUICK FROM coupons WHERE valid_to < CURDATE() - INTERVAL 1 YEAR;

DELETE LOW_PRIORITY IGNORE FROM brands WHERE NOT EXISTS (SELECT 1 FROM products WHERE products.brand_id = brands.id);

DELETE o FROM orders o LEFT JOIN order_items i ON i.order_id = o.id WHERE i.order_id IS NULL AND o.status = 'cart';

DELETE o, i FROM orders AS o INNER JOIN order_items AS i ON i.order_id = o.id WHERE o.status = 'cart' AND o.placed_at < NOW() - INTERVAL 30 DAY;

DELETE FROM r USING reviews AS r INNER JOIN customers AS c ON c.id = r.customer_id WHERE c.status = 'blocked';

DELETE FROM orders, payments USING orders INNER JOIN payments INNER JOIN customers
WHERE orders.id = payments.order_id AND orders.customer_id = customers.id AND customers.email = 'test@example.org';

DELETE a FROM addresses a, addresses b WHERE a.customer_id = b.customer_id AND a.line1 = b.line1 AND a.postcode = b.postcode AND a.id > b.id;

DELETE FROM stock WHERE (warehouse_id, variant_id) IN (SELECT w.id, v.id FROM warehouses w JOIN product_variants v WHERE w.closed_on IS NOT NULL);

DELETE stock_moves FROM stock_moves JOIN warehouses ON warehouses.id = stock_moves.warehouse_id WHERE warehouses.closed_on < '2020-01-01';

DELETE FROM orders.* USING orders JOIN webshop_archive.old_orders a ON a.id = orders.id;

DELETE FROM page_views PARTITION (p2023, p2024) WHERE visitor IN (SELECT visitor FROM (SELECT visitor FROM page_views GROUP BY visitor HAVING COUNT(*) > 10000) AS bots);

DELETE FROM AuditLog WHERE ChangedAt < DATE_SUB(CURRENT_DATE, INTERVAL 400 DAY) AND `Table` NOT IN ('orders', 'payments');

DELETE v FROM product_variants AS v
JOIN (
  SELECT id, ROW_NUMBER() OVER (PARTITION BY product_id, colour, size ORDER BY id) AS copy_no
  FROM product_variants
) AS dup USING (id)
WHERE dup.copy_no > 1;

DELETE FROM `returns` WHERE `condition` = 'new' AND received_at IS NULL AND order_id NOT IN (SELECT id FROM orders);

DELETE webshop_archive.old_orders FROM webshop_archive.old_orders JOIN customers ON customers.id = old_orders.customer_id WHERE customers.deleted_at IS NOT NULL;

DELETE FROM customers WHERE id = ? LIMIT 1;

-- MySQL 8.0.16: an alias in a single-table DELETE
DELETE FROM cart_items AS ci WHERE ci.customer_id IN (SELECT c.id FROM customers c WHERE c.status = 'closed');

DELETE FROM orders o WHERE o.status = 'cart' ORDER BY o.placed_at LIMIT 50;

DELETE LOW_PRIORITY QUICK FROM page_views AS pv PARTITION (p2023) WHERE pv.duration_ms = 0;

UPDATE /*+ NO_MERGE(d) SET_VAR(sort_buffer_size = 16M) */ products p
JOIN (SELECT category_id, AVG(price) AS mean FROM products GROUP BY category_id) d ON d.category_id = p.category_id
SET p.price = d.mean
WHERE p.price > 3 * d.mean;

DELETE /*+ QB_NAME(qb1) INDEX(orders ix_orders_status) */ FROM orders WHERE status = 'cart';

TRUNCATE TABLE cart_items;


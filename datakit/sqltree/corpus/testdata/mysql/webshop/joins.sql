SELECT o.number, c.email, o.total
FROM orders o
JOIN customers c ON c.id = o.customer_id
WHERE o.status = 'placed';

SELECT o.number, i.line_no, p.name, v.colour, v.size, i.quantity, i.line_total
FROM orders o
INNER JOIN order_items i ON i.order_id = o.id
INNER JOIN product_variants v ON v.id = i.variant_id
INNER JOIN products p ON p.id = v.product_id
WHERE o.id = ?
ORDER BY i.line_no;

SELECT c.id, c.email
FROM customers c
LEFT JOIN orders o ON o.customer_id = c.id
WHERE o.id IS NULL;

SELECT p.sku, b.name AS brand, s.name AS supplier
FROM products AS p
  LEFT OUTER JOIN brands AS b ON b.id = p.brand_id
  LEFT OUTER JOIN suppliers AS s ON s.id = p.supplier_id
ORDER BY brand, supplier;

SELECT r.rating, p.name FROM reviews r RIGHT JOIN products p ON p.id = r.product_id;

SELECT w.code, c.name FROM warehouses w, countries c WHERE w.country_code = c.code AND c.in_eu;

SELECT child.name AS child, parent.name AS parent
FROM categories child
LEFT JOIN categories parent ON child.parent_id = parent.id
ORDER BY parent.position, child.position;

SELECT a.email, b.email AS referrer, d.email AS referrer_of_referrer
FROM customers a
JOIN customers b ON a.referred_by = b.id
LEFT JOIN customers d ON b.referred_by = d.id;

SELECT warehouse_id, variant_id, s.on_hand, SUM(m.quantity) AS moved
FROM stock s
JOIN stock_moves m USING (warehouse_id, variant_id)
GROUP BY warehouse_id, variant_id, s.on_hand
HAVING moved <> s.on_hand;

SELECT order_id, line_no, i.quantity, r.quantity AS sent_back
FROM order_items i
LEFT JOIN `returns` r USING (order_id, line_no)
WHERE order_id BETWEEN 100 AND 200;

SELECT warehouse_id, variant_id, available FROM stock NATURAL JOIN stock_moves;

SELECT country_code, COUNT(*) FROM brands JOIN suppliers USING (country_code) GROUP BY country_code;

SELECT x.code, y.code FROM countries x CROSS JOIN countries y WHERE x.code < y.code AND x.currency = y.currency;

select p.id, p.name, (select count(*) from reviews where reviews.product_id = p.id) reviews
from products p join categories c on c.id = p.category_id and c.slug = 'garden'
order by reviews desc;

SELECT o.id, ship.city AS ship_city, bill.city AS bill_city
FROM orders o
JOIN addresses ship ON ship.id = o.shipping_address_id
JOIN addresses bill ON bill.id = o.billing_address_id
WHERE ship.country_code <> bill.country_code;

SELECT o.number, pay.method, pay.amount, sh.carrier
FROM orders o
LEFT JOIN (payments pay JOIN shipments sh ON sh.order_id = pay.order_id) ON pay.order_id = o.id
WHERE pay.state = 'captured' OR pay.id IS NULL;

SELECT c.email, o.number
FROM (customers c, countries k)
JOIN orders o ON o.customer_id = c.id AND o.currency = k.currency
WHERE k.code = c.country_code;

SELECT STRAIGHT_JOIN o.id, c.last_name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.country_code = 'NL';

SELECT c.id, o.id FROM customers c STRAIGHT_JOIN orders o ON c.id = o.customer_id LIMIT 5;

SELECT c.code, sub.n
FROM countries c
LEFT JOIN (
    SELECT country_code, COUNT(*) AS n
    FROM customers
    WHERE status = 'active'
    GROUP BY country_code
) AS sub ON sub.country_code = c.code
ORDER BY sub.n IS NULL, sub.n DESC;

SELECT p.name, t.sold
FROM products p
JOIN (SELECT v.product_id, SUM(i.quantity) sold
      FROM order_items i JOIN product_variants v ON v.id = i.variant_id
      GROUP BY v.product_id) t ON t.product_id = p.id
WHERE t.sold > 100
ORDER BY t.sold DESC;

SELECT p.id, p.name
FROM products p
LEFT JOIN product_variants v ON v.product_id = p.id
LEFT JOIN stock s ON s.variant_id = v.id AND s.on_hand > 0
WHERE s.variant_id IS NULL
GROUP BY p.id, p.name;

SELECT cv.email, cv.lifetime_value, c.loyalty_points
FROM customer_value cv
JOIN customers c ON c.id = cv.customer_id
WHERE cv.order_count >= 3 AND cv.last_order_on < CURDATE() - INTERVAL 1 YEAR;

SELECT ap.category, ap.brand, COUNT(*) AS products, SUM(ss.available) AS units
FROM active_products ap
LEFT JOIN stock_summary ss ON ss.product_id = ap.id
GROUP BY ap.category, ap.brand
ORDER BY units DESC;

SELECT cp.path, p.sku FROM products p JOIN category_paths cp ON cp.id = p.category_id WHERE cp.depth >= 2;

SELECT t.number, t.goods, t.tax, o.total - t.goods - o.shipping_cost AS difference
FROM order_totals t JOIN orders o ON o.id = t.order_id
WHERE ABS(o.total - t.goods - o.shipping_cost) > 0.01;

SELECT cur.customer_id, cur.id, MIN(nxt.placed_at) AS next_order_at
FROM orders cur
LEFT JOIN orders nxt ON nxt.customer_id = cur.customer_id AND nxt.placed_at > cur.placed_at
GROUP BY cur.customer_id, cur.id;

SELECT a.product_id AS first_product, b.product_id AS second_product, COUNT(DISTINCT x.order_id) AS together
FROM order_items x
JOIN order_items y ON y.order_id = x.order_id AND y.variant_id > x.variant_id
JOIN product_variants a ON a.id = x.variant_id
JOIN product_variants b ON b.id = y.variant_id
WHERE a.product_id <> b.product_id
GROUP BY a.product_id, b.product_id
HAVING together >= 5
ORDER BY together DESC
LIMIT 50;

SELECT DISTINCT c.id, c.email
FROM customers c
JOIN orders o ON o.customer_id = c.id
JOIN order_items oi ON oi.order_id = o.id
JOIN product_variants pv ON pv.id = oi.variant_id
JOIN products p ON p.id = pv.product_id
JOIN categories cat ON cat.id = p.category_id
WHERE cat.slug IN ('tents', 'stoves')
  AND o.placed_at >= DATE_SUB(NOW(), INTERVAL 90 DAY);

SELECT old.number, cur.number, cur.total - old.total AS change_in_total
FROM webshop_archive.old_orders old
JOIN orders cur ON cur.customer_id = old.customer_id;

SELECT o.*, c.email FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = 42;

SELECT orders.*, customers.first_name
FROM orders, customers
WHERE orders.customer_id = customers.id
  AND customers.status = 'blocked';

SELECT s.*, w.code, v.sku
FROM stock s
JOIN warehouses w ON w.id = s.warehouse_id
JOIN product_variants v ON v.id = s.variant_id
WHERE s.on_hand < s.reorder_level
   OR (s.available < 0 AND w.closed_on IS NULL);

SELECT p.sku
     , v.sku      AS variant_sku
     , w.code     AS wh
     , COALESCE(s.on_hand, 0) AS on_hand
FROM products p
JOIN product_variants v ON v.product_id = p.id
CROSS JOIN warehouses w
LEFT JOIN stock s
       ON s.variant_id = v.id
      AND s.warehouse_id = w.id
WHERE p.status = 'active';

SELECT c.email, k.name FROM customers c INNER JOIN countries k ON (k.code = c.country_code AND (k.vat_rate > 20 OR k.in_eu = 0));

SELECT orders.customer_id AS id, orders.id AS order_id FROM customers AS people, orders WHERE people.id = orders.customer_id;

SELECT customers.total FROM orders AS customers WHERE customers.total > 5;

SELECT status.name, name.status FROM categories AS status JOIN products AS name ON name.category_id = status.id;

SELECT c.id FROM { OJ customers c LEFT OUTER JOIN orders o ON c.id = o.customer_id } WHERE o.id IS NULL;

SELECT v.visitor, p.name
FROM page_views PARTITION (p2024, pmax) AS v
JOIN products p ON p.id = v.product_id
WHERE v.duration_ms > 30000;

SELECT i.variant_id, v.sku
FROM order_items i
  JOIN orders o
    JOIN customers c
      ON c.id = o.customer_id
    ON o.id = i.order_id
  JOIN product_variants v ON v.id = i.variant_id
WHERE c.id = 1001;

SELECT o.number, COUNT(sh.id) AS parcels, SUM(sh.weight_g) / 1000 AS kg
FROM orders o USE INDEX (ix_orders_status)
LEFT JOIN shipments sh ON sh.order_id = o.id
WHERE o.status = 'shipped'
GROUP BY o.id;

SELECT p.name, pv.visitor
FROM page_views pv FORCE INDEX FOR JOIN (ix_views_visitor)
JOIN products p IGNORE INDEX (ix_products_category, ix_products_brand) ON p.id = pv.product_id;

SELECT id, total FROM orders USE INDEX FOR ORDER BY (PRIMARY) IGNORE INDEX FOR GROUP BY (uq_orders_number) WHERE customer_id = 5 ORDER BY id DESC;

SELECT c.id, c.last_name, o.id IS NOT NULL AS has_order, r.id IS NOT NULL AS has_review
FROM customers c
LEFT JOIN orders o ON o.id = (SELECT MAX(o2.id) FROM orders o2 WHERE o2.customer_id = c.id)
LEFT JOIN reviews r ON r.id = (SELECT r2.id FROM reviews r2 WHERE r2.customer_id = c.id ORDER BY r2.created_at DESC LIMIT 1);

SELECT c.id, c.name, b.id, b.name
FROM categories c
LEFT JOIN brands b ON b.name = c.name
UNION
SELECT c.id, c.name, b.id, b.name
FROM categories c
RIGHT JOIN brands b ON b.name = c.name
WHERE c.id IS NULL;


SELECT id, name FROM products WHERE price > (SELECT AVG(price) FROM products);

SELECT c.email FROM customers c WHERE EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.id AND o.total > 500);

SELECT b.name
FROM brands b
WHERE NOT EXISTS (
  SELECT 1
  FROM products p
  WHERE p.brand_id = b.id
    AND EXISTS (SELECT 1 FROM reviews r WHERE r.product_id = p.id AND r.rating < b.id)
);

SELECT sku FROM products WHERE id NOT IN (SELECT product_id FROM product_variants);

SELECT number FROM orders WHERE (customer_id, placed_at) IN (SELECT customer_id, MAX(placed_at) FROM orders GROUP BY customer_id);

SELECT p.name
FROM products p
WHERE p.price >= ALL (SELECT price FROM products q WHERE q.category_id = p.category_id);

SELECT name FROM suppliers WHERE lead_days < ANY (SELECT lead_days FROM suppliers WHERE country_code = 'CN');

SELECT id FROM products WHERE brand_id = SOME (SELECT id FROM brands WHERE founded > 2015);

SELECT c.id,
       c.email,
       (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) AS orders,
       (SELECT MAX(placed_at) FROM orders WHERE customer_id = c.id) AS last_order,
       (SELECT GROUP_CONCAT(DISTINCT a.city ORDER BY a.city SEPARATOR '; ') FROM addresses a WHERE a.customer_id = c.id) AS cities
FROM customers c
WHERE c.status = 'active'
ORDER BY orders DESC, last_order;

SELECT t.y, t.n FROM (SELECT YEAR(created_at) AS y, COUNT(*) AS n FROM customers GROUP BY YEAR(created_at)) t WHERE t.n > 1000;

SELECT outer_q.status, outer_q.cnt
FROM (
  SELECT inner_q.status, COUNT(*) AS cnt
  FROM (
    SELECT o.id, o.status FROM orders o WHERE o.channel = 'app'
  ) inner_q
  GROUP BY inner_q.status
) outer_q
WHERE outer_q.cnt > 1;

SELECT id, total FROM orders WHERE total = (SELECT MAX(total) FROM orders o2 WHERE o2.customer_id = orders.customer_id);

SELECT ROW(1, 2) = (SELECT warehouse_id, variant_id FROM stock LIMIT 1) AS same_row;

SELECT * FROM orders WHERE ROW(status, channel) IN (ROW('paid', 'web'), ROW('placed', 'app'));

SELECT v.sku FROM product_variants v WHERE (v.colour, v.size) NOT IN (SELECT colour, size FROM product_variants WHERE product_id = 7 AND colour IS NOT NULL AND size IS NOT NULL);

SELECT CASE WHEN EXISTS (SELECT 1 FROM coupons WHERE code = ?) THEN 'known' ELSE 'unknown' END AS answer;

SELECT cust.id
FROM (SELECT id, status FROM customers) AS cust
JOIN (SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id) AS cnt ON cnt.customer_id = cust.id
WHERE cnt.n > (SELECT AVG(x.n) FROM (SELECT COUNT(*) AS n FROM orders GROUP BY customer_id) AS x);

SELECT p.id, p.name, p.price - (SELECT AVG(s.price) FROM products s WHERE s.brand_id = p.brand_id) AS above_brand
FROM products p
ORDER BY (SELECT COUNT(*) FROM reviews WHERE product_id = p.id) DESC, p.id
LIMIT 20;

SELECT category_id, COUNT(*)
FROM products
GROUP BY category_id
HAVING COUNT(*) > (SELECT COUNT(*) / COUNT(DISTINCT category_id) FROM products);

select o.number from orders o where 3 < (select count(*) from order_items i where i.order_id = o.id and i.discount > 0);

SELECT DISTINCT o.customer_id
FROM orders o
WHERE NOT EXISTS (
  SELECT c.id FROM categories c
  WHERE c.parent_id IS NULL
    AND NOT EXISTS (
      SELECT 1
      FROM orders o2
      JOIN order_items i ON i.order_id = o2.id
      JOIN product_variants v ON v.id = i.variant_id
      JOIN products p ON p.id = v.product_id
      WHERE o2.customer_id = o.customer_id AND p.category_id = c.id
    )
);

SELECT name, (SELECT name FROM categories WHERE id = products.category_id) AS category FROM products;

SELECT i.order_id, SUM(i.quantity) FROM order_items i WHERE i.variant_id IN (SELECT s.variant_id FROM stock s WHERE s.warehouse_id IN (SELECT w.id FROM warehouses w WHERE w.country_code IN (SELECT k.code FROM countries k WHERE NOT k.in_eu))) GROUP BY i.order_id;

SELECT (SELECT COUNT(*) FROM customers) AS customers, (SELECT COUNT(*) FROM orders) AS orders, (SELECT SUM(amount) FROM payments WHERE state = 'captured') AS money;

SELECT IF((SELECT used FROM coupons WHERE code = 'SPRING') >= (SELECT max_uses FROM coupons WHERE code = 'SPRING'), 'spent', 'free') AS state;

SELECT r.product_id, r.title
FROM reviews r
WHERE r.helpful > (SELECT 2 * AVG(r2.helpful) FROM reviews r2 WHERE r2.product_id = r.product_id HAVING COUNT(*) > 3);

SELECT a.customer_id, a.city
FROM addresses a
WHERE a.is_default
  AND a.country_code <> (SELECT c.country_code FROM customers c WHERE c.id = a.customer_id);

SELECT id FROM orders WHERE customer_id IN (SELECT id FROM customers WHERE email LIKE CONCAT('%', (SELECT website FROM brands WHERE name = 'Acme' LIMIT 1)));

SELECT t.id, t.id_count FROM (SELECT status AS id, COUNT(id) AS id_count FROM orders GROUP BY status) AS t ORDER BY t.id_count;

SELECT p.sku, latest.quantity, latest.moved_at
FROM products p
JOIN product_variants v ON v.product_id = p.id
JOIN stock_moves latest ON latest.id = (
    SELECT m.id FROM stock_moves m WHERE m.variant_id = v.id ORDER BY m.moved_at DESC, m.id DESC LIMIT 1
);

SELECT COUNT(*) FROM (SELECT DISTINCT customer_id, channel FROM orders) AS pairs;

SELECT w.name, (SELECT SUM(on_hand) FROM stock WHERE warehouse_id = w.id) - (SELECT SUM(reserved) FROM stock WHERE warehouse_id = w.id) AS free
FROM warehouses w
HAVING free > 0;

SELECT x.bucket, COUNT(*)
FROM (
  SELECT CASE WHEN total < 50 THEN 'small' WHEN total < 200 THEN 'medium' ELSE 'large' END AS bucket
  FROM orders
) x
GROUP BY x.bucket WITH ROLLUP;

SELECT s.name FROM suppliers s WHERE 'active' = (SELECT MAX(status) FROM products WHERE supplier_id = s.id) AND s.id = ANY (SELECT supplier_id FROM products);

SELECT o.id, EXISTS (SELECT 1 FROM `returns` r WHERE r.order_id = o.id) AS was_returned, o.id IN (SELECT order_id FROM shipments) AS was_shipped FROM orders o;

SELECT *
FROM (SELECT id, name FROM products WHERE status = 'draft' ORDER BY created_at LIMIT 5) drafts
JOIN (SELECT product_id, COUNT(*) images FROM product_variants GROUP BY product_id) v ON v.product_id = drafts.id;

SELECT email FROM customers WHERE id = (SELECT customer_id FROM orders WHERE id = (SELECT order_id FROM shipments WHERE tracking_no = ?));

SELECT (SELECT MIN(q.price) FROM products q WHERE q.price > products.price) AS next_price, price FROM products ORDER BY price;

SELECT k.name FROM countries k WHERE k.code IN (SELECT country_code FROM customers UNION SELECT country_code FROM suppliers);

SELECT o.id FROM orders o WHERE o.total <> (SELECT SUM(line_total) + o.shipping_cost FROM order_items WHERE order_id = o.id);

-- products never sold in the warehouses' own country
SELECT p.id
FROM products p
WHERE p.id NOT IN (
  SELECT v.product_id
  FROM product_variants v
  JOIN order_items i ON i.variant_id = v.id
  JOIN shipments sh ON sh.order_id = i.order_id
  JOIN warehouses w ON w.id = sh.warehouse_id
  JOIN orders o ON o.id = i.order_id
  JOIN addresses a ON a.id = o.shipping_address_id AND a.country_code = w.country_code
  WHERE v.product_id IS NOT NULL
);

SELECT * FROM (SELECT 1 AS a, 'x' AS b UNION ALL SELECT 2, 'y') AS t WHERE (t.a, t.b) > (1, 'a');


WITH recent AS (
  SELECT id, customer_id, total FROM orders WHERE placed_at > NOW() - INTERVAL 30 DAY
)
SELECT customer_id, SUM(total) AS spent FROM recent GROUP BY customer_id ORDER BY spent DESC LIMIT 10;

with recursive n as (select 1 as i union all select i + 1 from n where i < 10) select i, i * i as square from n;

WITH RECURSIVE days (day) AS (
  SELECT CAST('2024-01-01' AS DATE)
  UNION ALL
  SELECT day + INTERVAL 1 DAY FROM days WHERE day < '2024-12-31'
)
SELECT d.day, COUNT(o.id) AS orders, COALESCE(SUM(o.total), 0) AS revenue
FROM days d
LEFT JOIN orders o ON o.placed_on = d.day
GROUP BY d.day
ORDER BY d.day;

WITH RECURSIVE tree AS (
  SELECT c.id, c.parent_id, c.name, 0 AS level, CAST(LPAD(c.position, 4, '0') AS CHAR(200)) AS sort_key
  FROM categories c
  WHERE c.parent_id IS NULL
  UNION ALL
  SELECT ch.id, ch.parent_id, ch.name, tree.level + 1, CONCAT(tree.sort_key, '.', LPAD(ch.position, 4, '0'))
  FROM categories ch
  INNER JOIN tree ON tree.id = ch.parent_id
  WHERE ch.is_visible
)
SELECT CONCAT(REPEAT('  ', level), name) AS menu, id
FROM tree
ORDER BY sort_key;

WITH RECURSIVE ancestors AS (
  SELECT id, parent_id, name, 1 AS steps FROM categories WHERE slug = ?
  UNION ALL
  SELECT p.id, p.parent_id, p.name, a.steps + 1 FROM categories p, ancestors a WHERE p.id = a.parent_id
)
SELECT GROUP_CONCAT(name ORDER BY steps DESC SEPARATOR ' / ') AS breadcrumb FROM ancestors;

WITH
  sales AS (
    SELECT v.product_id, SUM(i.quantity) AS units, SUM(i.line_total) AS revenue
    FROM order_items i
    JOIN product_variants v ON v.id = i.variant_id
    JOIN orders o ON o.id = i.order_id
    WHERE o.status IN ('paid', 'packed', 'shipped', 'delivered')
    GROUP BY v.product_id
  ),
  returned AS (
    SELECT v.product_id, SUM(r.quantity) AS units
    FROM `returns` r
    JOIN order_items i ON i.order_id = r.order_id AND i.line_no = r.line_no
    JOIN product_variants v ON v.id = i.variant_id
    GROUP BY v.product_id
  )
SELECT p.sku, p.name, sales.units, sales.revenue,
       IFNULL(returned.units, 0) / sales.units AS return_rate
FROM products p
JOIN sales ON sales.product_id = p.id
LEFT JOIN returned ON returned.product_id = p.id
ORDER BY return_rate DESC;

WITH orders AS (SELECT id, customer_id FROM orders WHERE status = 'paid')
SELECT o.id, c.email FROM orders o JOIN customers c ON c.id = o.customer_id;

WITH a AS (SELECT id FROM products WHERE status = 'active'),
     b AS (SELECT v.id FROM product_variants v JOIN a ON a.id = v.product_id),
     c AS (SELECT s.variant_id, SUM(s.available) AS qty FROM stock s WHERE s.variant_id IN (SELECT id FROM b) GROUP BY s.variant_id)
SELECT COUNT(*), SUM(qty), AVG(qty) FROM c WHERE qty > 0;

WITH first_orders AS (
  SELECT customer_id, MIN(placed_on) AS first_on FROM orders GROUP BY customer_id
), cohorts AS (
  SELECT f.customer_id, DATE_FORMAT(f.first_on, '%Y-%m-01') AS cohort, f.first_on FROM first_orders f
)
SELECT cohorts.cohort,
       TIMESTAMPDIFF(MONTH, cohorts.first_on, o.placed_on) AS month_no,
       COUNT(DISTINCT o.customer_id) AS customers
FROM cohorts
JOIN orders o USING (customer_id)
GROUP BY cohorts.cohort, month_no
ORDER BY 1, 2;

WITH x AS (WITH y AS (SELECT code, vat_rate FROM countries WHERE in_eu = 1) SELECT MAX(vat_rate) AS top FROM y)
SELECT k.name FROM countries k, x WHERE k.vat_rate = x.top;

SELECT c.email,
       (WITH last_two AS (SELECT o.total FROM orders o ORDER BY o.placed_at DESC LIMIT 2)
        SELECT SUM(total) FROM last_two) AS last_two_total
FROM customers c;

SELECT *
FROM (
  WITH weekly AS (
    SELECT YEARWEEK(placed_at, 3) AS wk, SUM(total) AS revenue FROM orders GROUP BY YEARWEEK(placed_at, 3)
  )
  SELECT w1.wk, w1.revenue, w1.revenue - w2.revenue AS delta
  FROM weekly w1 LEFT JOIN weekly w2 ON w2.wk = w1.wk - 1
) AS t
WHERE t.delta < 0;

INSERT INTO stock (warehouse_id, variant_id, on_hand)
WITH missing AS (
  SELECT w.id AS warehouse_id, v.id AS variant_id
  FROM warehouses w CROSS JOIN product_variants v
  WHERE NOT EXISTS (SELECT 1 FROM stock s WHERE s.warehouse_id = w.id AND s.variant_id = v.id)
)
SELECT missing.warehouse_id, missing.variant_id, 0 FROM missing;

WITH RECURSIVE chain AS (
  SELECT id, email, referred_by, CAST(id AS CHAR(500)) AS path FROM customers WHERE referred_by IS NULL
  UNION DISTINCT
  SELECT c.id, c.email, c.referred_by, CONCAT_WS(',', chain.path, c.id)
  FROM chain JOIN customers AS c ON c.referred_by = chain.id
  WHERE NOT FIND_IN_SET(c.id, chain.path)
)
SELECT SUBSTRING_INDEX(path, ',', 1) AS root, COUNT(*) - 1 AS recruited
FROM chain
GROUP BY root
HAVING recruited > 0;

WITH RECURSIVE hours AS (
  SELECT 0 AS h
  UNION ALL
  SELECT h + 1 FROM hours WHERE h < 23
), traffic AS (
  SELECT HOUR(viewed_at) AS h, COUNT(*) AS views, COUNT(DISTINCT visitor) AS visitors
  FROM page_views
  WHERE viewed_at >= CURDATE() - INTERVAL 7 DAY
  GROUP BY HOUR(viewed_at)
)
SELECT hours.h, IFNULL(traffic.views, 0) views, IFNULL(visitors, 0) visitors
FROM hours LEFT JOIN traffic USING (h)
ORDER BY hours.h;

WITH RECURSIVE split AS (
  SELECT id, SUBSTRING_INDEX(name, ' ', 1) AS word, SUBSTRING(name, CHAR_LENGTH(SUBSTRING_INDEX(name, ' ', 1)) + 2) AS rest
  FROM products
  UNION ALL
  SELECT id, SUBSTRING_INDEX(rest, ' ', 1), SUBSTRING(rest, CHAR_LENGTH(SUBSTRING_INDEX(rest, ' ', 1)) + 2)
  FROM split
  WHERE rest <> ''
)
SELECT LOWER(word) AS term, COUNT(DISTINCT id) AS products
FROM split
GROUP BY term
ORDER BY products DESC, term
LIMIT 200;

WITH totals (customer_id, amount) AS (SELECT customer_id, SUM(total) FROM orders GROUP BY customer_id)
SELECT c.status, AVG(totals.amount) FROM totals JOIN customers c ON c.id = totals.customer_id GROUP BY c.status;

WITH paid AS (
  SELECT order_id, SUM(amount) AS amount FROM payments WHERE state = 'captured' GROUP BY order_id
)
SELECT o.number, o.total, paid.amount
FROM orders o LEFT JOIN paid ON paid.order_id = o.id
WHERE o.status <> 'cancelled' AND (paid.amount IS NULL OR paid.amount < o.total)
UNION ALL
SELECT old.number, old.total, NULL
FROM webshop_archive.old_orders old
WHERE old.status = 'unpaid';

WITH one AS (SELECT 1 AS n), two AS (SELECT n + 1 AS n FROM one), three AS (SELECT two.n + one.n AS n FROM one, two)
SELECT three.n FROM three;

WITH t AS (SELECT * FROM products), u AS (SELECT t.*, t.price - t.cost AS profit FROM t)
SELECT u.sku, u.profit, u.margin FROM u WHERE u.profit <> u.margin;

-- one row per customer with the newest address of each kind
WITH newest AS (
  SELECT customer_id, kind, MAX(id) AS address_id
  FROM addresses
  GROUP BY customer_id, kind
)
SELECT c.id,
       MAX(CASE WHEN n.kind = 'billing' THEN CONCAT_WS(', ', a.line1, a.postcode, a.city) END) AS billing,
       MAX(CASE WHEN n.kind = 'shipping' THEN CONCAT_WS(', ', a.line1, a.postcode, a.city) END) AS shipping
FROM customers c
JOIN newest n ON n.customer_id = c.id
JOIN addresses a ON a.id = n.address_id
GROUP BY c.id;

WITH steps AS (
  SELECT visitor,
         MAX(url LIKE '/product/%') AS saw_product,
         MAX(url LIKE '/cart%') AS saw_cart,
         MAX(url = '/checkout/done') AS bought
  FROM page_views
  WHERE viewed_at BETWEEN ? AND ?
  GROUP BY visitor
)
SELECT COUNT(*) AS visitors, SUM(saw_product) AS product, SUM(saw_cart) AS cart, SUM(bought) AS done,
       ROUND(100 * SUM(bought) / NULLIF(SUM(saw_cart), 0), 1) AS cart_to_done
FROM steps;

WITH customers AS (
  SELECT id AS customers, email AS id FROM customers
)
SELECT customers.customers, customers.id FROM customers;

WITH order_lines AS (
  SELECT i.order_id, JSON_ARRAYAGG(JSON_OBJECT('line', i.line_no, 'qty', i.quantity)) AS doc
  FROM order_items i
  GROUP BY i.order_id
)
SELECT o.number, order_lines.doc FROM orders o JOIN order_lines ON order_lines.order_id = o.id WHERE o.id = ?;

WITH ranked AS (
  SELECT p.category_id, p.id, p.name, p.price, ROW_NUMBER() OVER (PARTITION BY p.category_id ORDER BY p.price DESC) AS rn
  FROM products p
)
SELECT c.name AS category, r.name AS product, r.price
FROM ranked r
JOIN categories c ON c.id = r.category_id
WHERE r.rn <= 3;

WITH d AS (SELECT DISTINCT customer_id, placed_on FROM orders),
     g AS (SELECT customer_id, placed_on, placed_on - INTERVAL ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_on) DAY AS island FROM d)
SELECT customer_id, MIN(placed_on) AS from_day, MAX(placed_on) AS to_day, COUNT(*) AS run
FROM g
GROUP BY customer_id, island
HAVING run >= 3;

WITH q AS (SELECT id FROM suppliers WHERE rating < 2) SELECT sku FROM products WHERE supplier_id IN (SELECT id FROM q) AND status <> 'retired';

WITH RECURSIVE bom AS (
    SELECT id, parent_id, id AS root FROM categories WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, c.parent_id, bom.root FROM categories AS c JOIN bom ON bom.id = c.parent_id
), counts AS (
    SELECT bom.root, COUNT(p.id) AS n, SUM(p.price * s.on_hand) AS worth
    FROM bom
    LEFT JOIN products p ON p.category_id = bom.id
    LEFT JOIN stock_summary s ON s.product_id = p.id
    GROUP BY bom.root
)
SELECT r.slug, counts.n, counts.worth, counts.worth / (SELECT SUM(worth) FROM counts) AS share
FROM counts
JOIN categories r ON r.id = counts.root
ORDER BY share DESC;

/* MySQL only: WITH in front of UPDATE and DELETE */
WITH idle AS (
  SELECT DISTINCT c.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL AND c.created_at < '2020-01-01'
)
UPDATE customers JOIN idle ON idle.id = customers.id
SET customers.status = 'closed', customers.deleted_at = NOW();

WITH expired AS (SELECT session_id FROM cart_items GROUP BY session_id HAVING MAX(added_at) < NOW() - INTERVAL 14 DAY)
DELETE FROM cart_items WHERE session_id IN (SELECT session_id FROM expired);

WITH best AS (SELECT product_id, AVG(rating) AS score FROM reviews WHERE approved = 1 GROUP BY product_id)
UPDATE products p, best b
SET p.attributes = JSON_SET(COALESCE(p.attributes, '{}'), '$.score', ROUND(b.score, 1))
WHERE p.id = b.product_id AND b.score >= 4;

WITH gone AS (SELECT id FROM orders WHERE status = 'cancelled' AND cancelled_at < NOW() - INTERVAL 2 YEAR)
DELETE pay FROM payments pay INNER JOIN gone ON gone.id = pay.order_id WHERE pay.state IN ('failed', 'pending');


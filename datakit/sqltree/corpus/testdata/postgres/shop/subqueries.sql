SELECT id, email FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 1000);

SELECT p.sku, p.list_price FROM products p
WHERE p.list_price = (SELECT max(list_price) FROM products WHERE category_id = p.category_id);

SELECT c.email,
       (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS orders,
       (SELECT max(placed_at) FROM orders WHERE customer_id = c.id) AS last_order,
       EXISTS (SELECT 1 FROM reviews WHERE reviews.customer_id = c.id) AS reviewer
FROM customers c
ORDER BY orders DESC, last_order DESC NULLS LAST;

SELECT * FROM orders WHERE (customer_id, currency) = (SELECT id, 'EUR' FROM customers WHERE email = $1);

SELECT o.id
FROM orders o
WHERE ROW (o.shipping_address, o.billing_address) IN (SELECT a.id, b.id FROM addresses a, addresses b WHERE a.customer_id = b.customer_id AND a.city = b.city);

select name
from categories c
where not exists (select from products where category_id = c.id)
  and not exists (select from categories k where k.parent_id = c.id);

SELECT v.sku FROM variants v
WHERE v.weight_g > ALL (SELECT w.weight_g FROM variants w WHERE w.product_id = v.product_id AND w.id <> v.id AND w.weight_g IS NOT NULL);

SELECT category_id FROM products GROUP BY category_id
HAVING avg(list_price) > (SELECT avg(list_price) FROM products);

SELECT c.name,
       (SELECT p.name
        FROM products p
        WHERE p.category_id = c.id
        ORDER BY (SELECT coalesce(sum(l.amount), 0)
                  FROM order_lines l
                  JOIN variants v ON v.id = l.variant_id
                  WHERE v.product_id = p.id) DESC
        LIMIT 1) AS bestseller
FROM categories c;

SELECT o.id, o.total
FROM orders o
WHERE o.total > (
    SELECT avg(o2.total) + 2 * coalesce(stddev(o2.total), 0)
    FROM orders o2
    WHERE o2.customer_id = o.customer_id AND o2.id <> o.id
);

SELECT ARRAY(SELECT sku FROM variants WHERE product_id = p.id ORDER BY sku) AS skus, p.id
FROM products p;

SELECT p.id FROM products p WHERE 'vegan' = ANY (p.tags) AND p.id = ANY (ARRAY(SELECT product_id FROM analytics.product_ratings WHERE avg_rating >= 4));

SELECT * FROM (SELECT *, total * 0.19 AS vat FROM orders) AS o WHERE o.vat > 10;

SELECT t.*
FROM (SELECT id, (SELECT name FROM categories WHERE id = products.category_id) AS category FROM products) t
WHERE category LIKE 'G%';

SELECT outermost.email
FROM customers outermost
WHERE EXISTS (
    SELECT 1 FROM orders middle
    WHERE middle.customer_id = outermost.id
      AND EXISTS (
          SELECT 1 FROM order_lines inner_line
          WHERE inner_line.order_id = middle.id
            AND inner_line.variant_id IN (SELECT id FROM variants WHERE color = outermost.preferences ->> 'color')
      )
);

SELECT coalesce((SELECT p.amount FROM payments p WHERE p.order_id = o.id ORDER BY p.captured_at DESC NULLS LAST LIMIT 1), 0) AS last_payment, o.id
FROM orders o ORDER BY last_payment DESC;

SELECT x.id, x.n
FROM (SELECT customer_id AS id, count(*) AS n FROM orders GROUP BY customer_id) x (id, n)
WHERE n > 2;

SELECT w.code
FROM warehouses w
WHERE (SELECT count(*) FROM stock_levels WHERE warehouse_code = w.code) > (SELECT count(*) / 2 FROM variants);

SELECT s.company, q.n, q.lowest
FROM suppliers AS s,
     LATERAL (SELECT count(*) AS n, min(list_price) AS lowest FROM products WHERE supplier_id = s.id) AS q
WHERE q.n > 0;

SELECT c.id FROM customers c WHERE c.id <> ALL (SELECT o.customer_id FROM orders o WHERE o.placed_at > now() - interval '1 year') AND c.deleted_at IS NULL;

SELECT CASE WHEN EXISTS (SELECT 1 FROM stock_levels WHERE variant_id = v.id AND on_hand > reserved) THEN 'in stock'
            WHEN v.product_id IN (SELECT id FROM products WHERE discontinued) THEN 'gone'
            ELSE 'back soon' END AS availability, v.sku
FROM variants v;

SELECT id
FROM orders
WHERE customer_id = (SELECT id FROM customers WHERE id = customer_id AND country = 'DE');

SELECT (SELECT id) AS same, (SELECT name || ' ' || slug) AS both FROM categories;

SELECT avg(n) FROM (SELECT count(*) AS n FROM order_lines GROUP BY order_id) AS per_order;

SELECT d.day, d.orders, d.orders - (SELECT count(*) FROM orders o WHERE o.placed_at::date = d.day - 7) AS vs_last_week
FROM (SELECT placed_at::date AS day, count(*) AS orders FROM orders WHERE placed_at IS NOT NULL GROUP BY placed_at::date) d
ORDER BY d.day DESC
LIMIT 30;

SELECT * FROM customers c
WHERE (SELECT status FROM orders WHERE customer_id = c.id ORDER BY id DESC LIMIT 1) IN ('returned', 'cancelled');

SELECT p.name FROM products p
WHERE EXISTS (SELECT v.id FROM variants v WHERE v.product_id = p.id GROUP BY v.id, v.color HAVING count(*) FILTER (WHERE v.color = p.details ->> 'color') > 0);

SELECT a.id, a.city
FROM addresses a
WHERE a.customer_id IN (
    SELECT customer_id FROM crm.contacts WHERE id IN (
        SELECT contact_id FROM crm.tickets WHERE state = 'open' AND order_id IN (
            SELECT id FROM orders WHERE shipping_address = a.id)));

SELECT k.full_name, (SELECT string_agg(t.subject, '; ' ORDER BY t.opened_at) FROM crm.tickets t WHERE t.contact_id = k.id AND t.closed_at IS NULL) AS open
FROM crm.contacts k
WHERE k.owner = current_user;

SELECT m.code, m.total_in, m.total_out
FROM (
    SELECT w.code,
           (SELECT sum(quantity) FROM stock_movements WHERE warehouse_code = w.code AND quantity > 0) AS total_in,
           (SELECT sum(-quantity) FROM stock_movements WHERE warehouse_code = w.code AND quantity < 0) AS total_out
    FROM warehouses w
) m
WHERE coalesce(m.total_out, 0) > coalesce(m.total_in, 0);

SELECT id, name
FROM products
ORDER BY (SELECT count(*) FROM reviews WHERE product_id = products.id) DESC, name
LIMIT (SELECT count(*) / 10 FROM products);

SELECT o.id
FROM orders AS o
WHERE NOT (o.id IN (SELECT order_id FROM payments WHERE status = 'captured') OR o.total = 0);

SELECT o FROM orders o WHERE o.id = 1;

SELECT count(c), count(DISTINCT c.country), (c).email FROM customers c GROUP BY c.email;

SELECT o.id FROM orders o WHERE o IS NOT NULL AND o.* IS DISTINCT FROM ROW (1);

SELECT customers FROM customers WHERE customers.referrer_id = (SELECT min(customers.id) FROM customers);

SELECT (SELECT r FROM reviews r WHERE r.product_id = p.id ORDER BY r.created_at DESC LIMIT 1) AS latest_review
FROM products p;

SELECT (pick).id, (pick).title
FROM (SELECT (SELECT r FROM reviews r WHERE r.product_id = p.id LIMIT 1) AS pick FROM products p) s;

SELECT ((c.position).lat)::numeric(8, 5) AS lat, (position).lon
FROM crm.contacts c
WHERE (c.position).lat BETWEEN 47 AND 55;

SELECT (c.position).* FROM crm.contacts AS c;

SELECT 1
WHERE EXISTS (SELECT * FROM products WHERE sku = $1)
  OR EXISTS (SELECT * FROM variants WHERE sku = $1);

select l.order_id, l.line_no, (l.amount / (select nullif(sum(amount), 0) from order_lines where order_id = l.order_id))::numeric(5,4) as weight
from order_lines l
where l.order_id = $1;

SELECT DISTINCT (SELECT c.name FROM categories c WHERE c.id = p.category_id) AS category, p.supplier_id
FROM products p
WHERE p.supplier_id IS NOT NULL
ORDER BY category;

SELECT sum(d.amount) FROM (SELECT amount FROM order_lines UNION ALL SELECT -amount FROM payments) d;

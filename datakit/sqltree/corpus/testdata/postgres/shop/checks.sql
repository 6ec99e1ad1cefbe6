SELECT o.id, o.total, p.amount
FROM orders o
  JOIN payments p ON p.order_id = o.id
  JOIN shipments s ON s.order_id = o.id
ORDER BY id;

SELECT c.country, count(*)
FROM customers c
  JOIN addresses a ON a.customer_id = c.id
GROUP BY c.country
ORDER BY country;

SELECT l.amount AS amount, o.id
FROM order_lines l
  JOIN orders o ON o.id = l.order_id
  JOIN payments p ON p.order_id = o.id
ORDER BY amount DESC, o.id;

SELECT a.city, a.country AS country, c.country AS home FROM addresses a, customers c WHERE c.id = a.customer_id ORDER BY country, home DESC;

SELECT variant_id, warehouse_code, on_hand, quantity, price
FROM stock_levels JOIN stock_movements USING (variant_id, warehouse_code) JOIN price_history USING (variant_id)
WHERE variant_id > 0
ORDER BY variant_id, warehouse_code;

SELECT variant_id
FROM stock_levels
  LEFT JOIN order_lines USING (variant_id)
  FULL JOIN price_history USING (variant_id)
GROUP BY variant_id
HAVING count(price) = 0;

SELECT *
FROM stock_levels s
  NATURAL JOIN stock_movements m
WHERE variant_id = 3
  AND s.variant_id = m.variant_id
  AND warehouse_code = 'BER1';

SELECT q.code, q.name
FROM (SELECT * FROM warehouses) q
  JOIN (SELECT warehouse_code FROM shipments) z ON z.warehouse_code = q.code;

SELECT star.order_id, star.product_id
FROM (SELECT l.*, v.product_id, v.sku FROM order_lines l JOIN variants v ON v.id = l.variant_id) star
WHERE star.sku LIKE 'X%'
  AND star.line_no = 1;

SELECT ap.*
FROM active_products ap
  JOIN analytics.top_customers tc ON tc.orders > ap.list_price
WHERE ap.category_slug = 'garden'
  AND tc.customer_name IS NOT NULL;

SELECT tc.revenue, tc.first_order, tc.email
FROM analytics.top_customers tc
WHERE tc.last_order < now() - interval '1 year';

SELECT page_events_default.kind, page_events.url FROM analytics.page_events_default JOIN analytics.page_events USING (session_id) WHERE page_events_default.duration_ms > page_events.duration_ms;

UPDATE order_lines
SET discount = unit_price * 0.1
FROM orders, customers c
WHERE orders.id = order_lines.order_id
  AND c.id = orders.customer_id
  AND c.country = 'AT'
RETURNING order_lines.order_id, c.email, orders.total, discount;

UPDATE suppliers
SET rating = sub.r
FROM (SELECT p.supplier_id, avg(rv.rating) AS r FROM products p JOIN reviews rv ON rv.product_id = p.id GROUP BY p.supplier_id) sub
WHERE sub.supplier_id = suppliers.id
  AND (suppliers.rating, 1) IS DISTINCT FROM (sub.r, 1);

UPDATE variants v
SET price_delta = d.delta
FROM LATERAL (SELECT avg(price) AS delta FROM price_history) AS d
WHERE d.delta IS NOT NULL
  AND v.color IS NULL;

INSERT INTO addresses (customer_id, line1, city, country)
SELECT x.id, x.line1, x.city, x.country
FROM json_to_recordset($1::json) AS x (id bigint, line1 text, city text, country char(2))
JOIN customers USING (id)
RETURNING addresses.*;

DELETE FROM stock_levels AS s
WHERE (s.warehouse_code, s.variant_id) NOT IN (SELECT m.warehouse_code, m.variant_id FROM stock_movements m WHERE m.variant_id = s.variant_id)
RETURNING s, s.ctid, lower(s.bin);

SELECT cte.n FROM (WITH cte AS (SELECT count(*) AS n FROM orders) SELECT n FROM cte) cte;

SELECT coalesce(u.email, 'total') AS email, sum(o.total)
FROM customers u
  JOIN orders o ON o.customer_id = u.id
GROUP BY ROLLUP (u.email)
ORDER BY u.email NULLS LAST;

SELECT id FROM crm.tickets WHERE now() - opened_at > sla AND num_nulls(tickets.contact_id, order_id) > 0;

SELECT p.sku, p.list_price FROM products p ORDER BY p.list_price USING >, sku USING <;

SELECT id, quantity
FROM stock_movements
WHERE quantity OPERATOR(pg_catalog.>) 0
  AND reason IN (VALUES ('pick'), ('return'));

SELECT c.id
FROM customers c
GROUP BY c.id, ()
HAVING max(c.created_at) > '2024-01-01'
WINDOW w AS (ORDER BY c.id);

SELECT any_value(name) AS sample, category_id FROM products GROUP BY category_id;

SELECT o.id, t.subject FROM ONLY orders o LEFT JOIN crm.tickets * t ON t.order_id = o.id;

SELECT ALL status, ALL_orders.n
FROM (SELECT count(*) AS n FROM orders) AS ALL_orders, orders
LIMIT 3;

SELECT ordinality, element FROM unnest(ARRAY['a', 'b']) WITH ORDINALITY AS u (element);

SELECT s.sum, s.count FROM (SELECT sum(total), count(*) FROM orders) s;

SELECT "case", coalesce, "?column?"
FROM (SELECT CASE WHEN true THEN 1 END, coalesce(1, 2), 1 + 1) d;

SELECT d.upper, d.status, d.total
FROM (SELECT upper(notes), status::text, total::int FROM orders) d
WHERE d.status = 'paid';

SELECT a.array, e.exists, x.id
FROM (SELECT ARRAY[1, 2]) a, (SELECT EXISTS (SELECT 1 FROM orders)) e, (SELECT (SELECT max(id) AS id FROM orders)) x;

SELECT generate_series FROM generate_series(1, 3) WHERE generate_series > 1;

SELECT unnest, current_date FROM unnest(ARRAY[1, 2]);

SELECT jsonb_array_elements.value, value FROM jsonb_array_elements('[1, 2]'::jsonb);

SELECT json_each.key, k.value
FROM json_each('{"a": 1}')
  JOIN jsonb_each_text('{"a": "1"}') k USING (key);

SELECT * FROM customers c WHERE c.last_ip <<= ANY (ARRAY['10.0.0.0/8', '192.168.0.0/16']::cidr[]) ORDER BY c.last_ip NULLS FIRST FETCH FIRST ROW ONLY;

SELECT DISTINCT ON (day, p.id) day, p.id, first_value(s.units) OVER (PARTITION BY day ORDER BY s.units DESC)
FROM analytics.daily_sales s
  JOIN products p ON p.id = product_id
ORDER BY day DESC, p.id, s.units;

SELECT r.product_id, r.title
FROM reviews r
WHERE r.helpful >= ALL (SELECT helpful FROM reviews WHERE product_id = r.product_id)
UNION ALL
SELECT product_id, NULL
FROM analytics.product_ratings
WHERE reviews = 0
ORDER BY title NULLS LAST, product_id;

SELECT g.id, g.customer_id
FROM customer_orders(1000) WITH ORDINALITY AS g (id, at, sum, customer_id);

SELECT order_id, placed FROM customer_orders($1) WHERE amount > 50 ORDER BY placed DESC;

SELECT o.id, c.email FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.id = $1;

SELECT c.email, o.id AS order_id, o.total
FROM customers c
LEFT OUTER JOIN orders o ON o.customer_id = c.id AND o.status = 'delivered'
WHERE c.deleted_at IS NULL;

-- customers that never ordered
SELECT c.id, c.email
FROM customers c
LEFT JOIN orders o ON o.customer_id = c.id
WHERE o.id IS NULL;

SELECT p.name, c.name, parent.name
FROM products p
JOIN categories c ON p.category_id = c.id
LEFT JOIN categories parent ON c.parent_id = parent.id;

select * from order_lines natural join price_history;

SELECT order_id, orders.id, amount, method
FROM order_lines
JOIN payments USING (order_id, amount)
JOIN orders ON orders.id = order_id;

SELECT w.code, v.sku, coalesce(sl.on_hand, 0) AS on_hand
FROM warehouses w
CROSS JOIN variants v
LEFT JOIN stock_levels sl ON sl.warehouse_code = w.code AND sl.variant_id = v.id
WHERE w.country IN ('DE', 'AT') AND v.product_id = 42;

SELECT coalesce(d.day, c.day) AS day, d.revenue, c.label
FROM analytics.daily_sales d
FULL OUTER JOIN analytics.calendar c ON c.day = d.day
WHERE d.day IS NULL OR c.day IS NULL;

SELECT day, sum(revenue) AS revenue
FROM analytics.calendar FULL JOIN analytics.daily_sales USING (day)
GROUP BY day;

SELECT a.sku AS cheaper, b.sku AS dearer, b.list_price - a.list_price AS gap
FROM products a
JOIN products b ON a.category_id = b.category_id AND a.list_price < b.list_price
WHERE a.id <> b.id;

SELECT ref.email AS referrer, count(new.id) AS recruited
FROM customers AS new
RIGHT JOIN customers AS ref ON new.referrer_id = ref.id
GROUP BY ref.email
ORDER BY recruited DESC;

SELECT * FROM (orders o JOIN payments p ON p.order_id = o.id) JOIN customers c ON c.id = o.customer_id;

SELECT j.code, j.bin
FROM (warehouses w JOIN stock_levels s ON s.warehouse_code = w.code) AS j
WHERE j.on_hand > 0;

SELECT s.id, s.carrier, o.id, o.status
FROM shipments s
  LEFT JOIN (orders o INNER JOIN customers cu ON o.customer_id = cu.id) ON s.order_id = o.id
WHERE cu.country = 'CH';

SELECT o.id, ship.city AS ship_to, bill.city AS bill_to
FROM orders AS o
JOIN addresses AS ship ON ship.id = o.shipping_address
JOIN addresses AS bill ON bill.id = o.billing_address
WHERE ship.id IS DISTINCT FROM bill.id;

SELECT c.id, last_order.id AS order_id, last_order.placed_at
FROM customers c
CROSS JOIN LATERAL (
    SELECT o.id, o.placed_at
    FROM orders o
    WHERE o.customer_id = c.id
    ORDER BY o.placed_at DESC NULLS LAST
    LIMIT 1
) last_order;

SELECT p.id, p.name, r.title, r.rating
FROM products p
LEFT JOIN LATERAL (
    SELECT title, rating FROM reviews WHERE product_id = p.id ORDER BY helpful DESC FETCH FIRST 3 ROWS ONLY
) AS r ON TRUE;

SELECT p.sku, t.tag
FROM products p, unnest(p.tags) AS t(tag)
WHERE t.tag LIKE 'sale%';

SELECT p.sku, t.tag, t.nr
FROM products AS p
CROSS JOIN LATERAL unnest(p.tags) WITH ORDINALITY AS t (tag, nr)
ORDER BY p.sku, nr;

SELECT co.order_id, co.placed, c.email FROM customers c, customer_orders(c.id) co WHERE co.amount > 100;

SELECT c.email, x.*
FROM customers AS c
LEFT JOIN LATERAL customer_orders(c.id) AS x (order_no, at, value) ON x.value > 0;

SELECT o.id
FROM orders o
WHERE EXISTS (SELECT 1 FROM order_lines l JOIN variants v ON v.id = l.variant_id WHERE l.order_id = o.id AND v.color = 'red')
  AND NOT EXISTS (SELECT FROM shipments s WHERE s.order_id = o.id);

SELECT pr.sku
FROM products pr
WHERE pr.id NOT IN (SELECT v.product_id FROM variants v JOIN order_lines ol ON ol.variant_id = v.id);

SELECT c.first_name, c.last_name, t.subject, te.kind, te.at
FROM public.customers c
  INNER JOIN crm.contacts k ON k.customer_id = c.id
  INNER JOIN crm.tickets t ON t.contact_id = k.id
  LEFT JOIN crm.ticket_events te ON te.ticket_id = t.id AND te.seq = 1
ORDER BY te.at DESC NULLS LAST;

SELECT g.day::date, count(o.id)
FROM generate_series(CURRENT_DATE - 30, CURRENT_DATE, interval '1 day') AS g(day)
LEFT JOIN orders o ON o.placed_at >= g.day AND o.placed_at < g.day + interval '1 day'
GROUP BY g.day ORDER BY g.day;

SELECT d, w.code FROM generate_series(1, 7) d CROSS JOIN warehouses w;

SELECT s.company, v.sku
FROM suppliers s
JOIN products p ON p.supplier_id = s.id
JOIN variants v ON v.product_id = p.id
LEFT JOIN stock_levels l ON l.variant_id = v.id
WHERE l.variant_id IS NULL AND s.is_active;

SELECT m.quantity, m.reason, w.name, v.sku, m.moved_at
  FROM stock_movements m
  JOIN warehouses w ON m.warehouse_code = w.code
  JOIN variants v ON m.variant_id = v.id
 WHERE (m.warehouse_code, m.variant_id) IN (SELECT warehouse_code, variant_id FROM stock_levels WHERE on_hand < reorder_point)
 ORDER BY m.moved_at DESC;

SELECT u.order_id, u.carrier
FROM shipments AS u
  JOIN orders AS o (nr, cust) ON o.nr = u.order_id
WHERE o.cust = 5;

SELECT t.nr, t.was, t.total FROM orders AS t (nr, client, was) WHERE t.client > 0;

SELECT merged.order_id, merged.line_no, orders.status
FROM order_lines JOIN payments USING (order_id) AS merged_key JOIN orders ON orders.id = merged_key.order_id, order_lines merged
WHERE merged.order_id = merged_key.order_id;

SELECT k.order_id, p.amount, l.amount
FROM order_lines l
  JOIN payments p USING (order_id) AS k
WHERE k.order_id > 10;

SELECT (j).order_id, j.carrier FROM (SELECT s.* FROM shipments s) AS j;

SELECT first.id, second.id
FROM orders first
JOIN orders second ON second.customer_id = first.customer_id AND second.placed_at > first.placed_at
LEFT JOIN orders middle ON middle.customer_id = first.customer_id
                       AND middle.placed_at > first.placed_at
                       AND middle.placed_at < second.placed_at
WHERE middle.id IS NULL;

SELECT ap.name, pr.avg_rating, ap.list_price
FROM active_products ap
  NATURAL LEFT JOIN analytics.product_ratings pr;

SELECT product_id, reviews.rating, avg_rating FROM reviews JOIN analytics.product_ratings USING (product_id);

select distinct orders.id, currency, payments.status
from customers c
  inner join orders on orders.customer_id = c.id
  inner join payments using (currency);

SELECT c.email
FROM customers c, LATERAL (VALUES (c.first_name), (c.last_name)) AS names (part)
WHERE names.part ILIKE 'mc%';

SELECT a.customer_id, a.city, near.code, near.distance
FROM addresses a
JOIN LATERAL (
  SELECT w.code, w.location <-> point(13.4, 52.5) AS distance
  FROM warehouses w
  WHERE w.country = a.country
  ORDER BY distance
  LIMIT 1
) near ON true;

SELECT tc.customer_name, tc.place, ot.subject
FROM analytics.top_customers tc
JOIN crm.contacts ct ON ct.customer_id = tc.customer_id
JOIN crm.open_tickets ot ON ot.full_name = ct.full_name
WHERE tc.orders > 3;

SELECT pe.session_id, pe.url, r.title, product_id
FROM analytics.page_events pe
LEFT JOIN reviews r USING (product_id, customer_id)
WHERE pe.kind = 'view';

SELECT o.* , sub.lines
FROM orders o
JOIN (SELECT order_id, count(*) lines FROM order_lines GROUP BY order_id) sub ON sub.order_id = o.id
WHERE sub.lines > 5;

SELECT o1.id, o1.total
FROM orders o1
WHERE o1.total > ANY (SELECT o2.total FROM orders o2 WHERE o2.customer_id = o1.customer_id AND o2.id < o1.id);

SELECT payments.order_id, payments.amount, shipments.tracking_no
FROM public.payments, public.shipments
WHERE public.payments.order_id = public.shipments.order_id
  AND public.shipments.delivered_at IS NULL;

SELECT crm.contacts.full_name, crm.tickets.subject
FROM crm.contacts
  JOIN crm.tickets ON crm.tickets.contact_id = crm.contacts.id;

SELECT orders.id FROM orders AS orders JOIN customers AS id ON id.id = orders.customer_id;

SELECT x.a, x.b, y.a
FROM (VALUES (1, 'one'), (2, 'two')) AS x (a, b)
LEFT JOIN (VALUES (1), (3)) AS y (a) ON x.a = y.a;

SELECT p.sku, f.*
FROM products p
CROSS JOIN ROWS FROM (unnest(p.tags), generate_series(1, 3)) WITH ORDINALITY AS f (tag, n, ord);

SELECT s.warehouse_code, v.sku
FROM stock_levels s JOIN variants v ON s.variant_id = v.id
WHERE NOT EXISTS (
    SELECT 1 FROM stock_movements m
    WHERE m.variant_id = v.id AND m.warehouse_code = s.warehouse_code AND m.moved_at > now() - interval '180 days'
) AND s.on_hand > 0;

SELECT l.amount, p.amount
FROM orders o
  LEFT JOIN (order_lines l CROSS JOIN payments p) ON l.order_id = o.id
  AND p.order_id = o.id;

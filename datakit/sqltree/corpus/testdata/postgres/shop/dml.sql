INSERT INTO categories (name, slug) VALUES ('Garden', 'garden'), ('Kitchen', 'kitchen');

INSERT INTO suppliers (company, country, email, lead_time, certificates)
VALUES ('Nordholz GmbH', 'DE', 'order@nordholz.example', INTERVAL '10 days', ARRAY['FSC', 'ISO 9001'])
RETURNING id;

INSERT INTO orders DEFAULT VALUES;

INSERT INTO order_lines (order_id, line_no, variant_id, quantity, unit_price)
SELECT $1, row_number() OVER (ORDER BY v.id), v.id, i.qty, p.list_price + v.price_delta
FROM unnest($2::bigint[], $3::int[]) AS i (variant_id, qty)
JOIN variants v ON v.id = i.variant_id
JOIN products p ON p.id = v.product_id;

INSERT INTO stock_levels AS s (warehouse_code, variant_id, bin, on_hand)
VALUES ('BER1', $1, 'A-01', $2)
ON CONFLICT (warehouse_code, variant_id, bin) DO UPDATE
SET on_hand = s.on_hand + EXCLUDED.on_hand,
    counted_at = now()
WHERE s.on_hand + EXCLUDED.on_hand >= 0
RETURNING s.on_hand;

INSERT INTO customers (email, first_name, country)
VALUES (lower($1), $2, DEFAULT)
ON CONFLICT (email) DO NOTHING;

insert into reviews (product_id, customer_id, rating, title, body)
values ($1, $2, $3, $4, $5)
returning id, created_at as "createdAt";

INSERT INTO products (sku, name, category_id, list_price)
VALUES ($1, $2, (SELECT id FROM categories WHERE slug = $3), $4::numeric(12,2))
ON CONFLICT ON CONSTRAINT products_sku_key DO UPDATE
    SET (name, list_price, updated_at) = (excluded.name, excluded.list_price, now());

INSERT INTO customers OVERRIDING SYSTEM VALUE VALUES (1, 'root@shop.example', 'Ro', 'Ot');

INSERT INTO "CouponCodes" ("Code", "PercentOff", "ValidFrom", "order")
VALUES ('SPRING24', 15, '2024-03-01', 1)
RETURNING "Id";

INSERT INTO "CouponCodes" AS cc ("Code", "ValidFrom", "MaxUses")
SELECT 'REF' || c.id, now(), 1 FROM customers c WHERE c.referrer_id IS NULL
ON CONFLICT ("Code") DO UPDATE SET "MaxUses" = cc."MaxUses" + excluded."MaxUses", "ValidTo" = NULL WHERE cc."ValidTo" < now();

INSERT INTO analytics.daily_sales (day, product_id, country, units, revenue, cost)
SELECT o.placed_at::date, v.product_id, a.country, sum(l.quantity), sum(l.amount), NULL
FROM orders o
JOIN order_lines l ON l.order_id = o.id
JOIN variants v ON v.id = l.variant_id
JOIN addresses a ON a.id = o.shipping_address
WHERE o.placed_at >= CURRENT_DATE - 1 AND o.placed_at < CURRENT_DATE
GROUP BY 1, 2, 3
ON CONFLICT (day, product_id, country, channel)
DO UPDATE SET units = EXCLUDED.units, revenue = EXCLUDED.revenue;

INSERT INTO price_history TABLE price_history;

INSERT INTO crm.contacts (full_name, position.lat, position.lon, phones[1])
VALUES ('Mara Lind', 52.5, 13.4, '+49301234');

INSERT INTO crm.ticket_events (ticket_id, seq, kind, author)
SELECT t.id, coalesce(max(te.seq), 0) + 1, 'escalated', current_user
FROM crm.tickets t
LEFT JOIN crm.ticket_events te ON te.ticket_id = t.id
WHERE t.closed_at IS NULL AND now() > t.opened_at + t.sla
GROUP BY t.id
RETURNING ticket_id, seq;

INSERT INTO analytics.calendar (day, year, quarter, month, week)
SELECT d::date, extract(year FROM d), extract(quarter FROM d), extract(month FROM d), extract(week FROM d)
FROM generate_series(timestamp '2024-01-01', timestamp '2026-12-31', '1 day') AS d
ON CONFLICT DO NOTHING;

INSERT INTO payments (order_id, method, amount, currency)
VALUES ($1, 'card', $2, 'EUR')
RETURNING payments.id, (SELECT o.total FROM orders o WHERE o.id = payments.order_id) AS order_total;

INSERT INTO categories (parent_id, name, slug, position)
(SELECT id, 'Sale', slug || '-sale', 99 FROM categories WHERE parent_id IS NULL)
UNION ALL
(SELECT NULL, 'Outlet', 'outlet', 100);

UPDATE products SET discontinued = true WHERE id = $1;

UPDATE orders SET status = 'paid', updated_at = DEFAULT WHERE id = $1 AND status = 'placed' RETURNING *;

UPDATE products p
SET list_price = round(p.list_price * (1 + $1::numeric / 100), 2),
    updated_at = now()
FROM suppliers s
WHERE s.id = p.supplier_id AND s.company ILIKE 'nord%'
RETURNING p.sku, p.list_price, s.company;

UPDATE stock_levels
SET reserved = reserved + l.quantity
FROM order_lines l
WHERE l.order_id = $1
  AND stock_levels.variant_id = l.variant_id
  AND stock_levels.warehouse_code = 'BER1'
  AND stock_levels.on_hand - stock_levels.reserved >= l.quantity;

UPDATE orders o
SET total = (SELECT coalesce(sum(l.amount), 0) FROM order_lines l WHERE l.order_id = o.id)
WHERE o.status = 'cart';

UPDATE orders AS o
SET (total, notes) = (SELECT sum(amount), 'recalculated ' || count(*) FROM order_lines WHERE order_id = o.id)
WHERE EXISTS (SELECT FROM order_lines x WHERE x.order_id = o.id);

UPDATE customers SET first_name = NULL, last_name = NULL, birthday = NULL, last_ip = NULL, email = 'deleted-' || id || '@invalid.example', deleted_at = now()
WHERE id = $1;

UPDATE addresses a
SET is_default = (a.id = $2)
WHERE a.customer_id = $1
  AND a.is_default IS DISTINCT FROM (a.id = $2);

UPDATE ONLY analytics.page_events SET duration_ms = NULL WHERE duration_ms < 0;

update crm.tickets t set priority = greatest(priority - 1, 1)
from crm.contacts c join analytics.top_customers tc on tc.customer_id = c.customer_id
where t.contact_id = c.id and t.closed_at is null and tc.place <= 100;

UPDATE variants SET dimensions[3] = 40, dimensions[1:2] = '{10,20}' WHERE sku = $1;

UPDATE crm.contacts
SET position.lat = 48.1, phones = array_append(phones, $2::text)
WHERE id = $1;

UPDATE shipments s
SET delivered_at = v.at
FROM (VALUES (1, timestamptz '2024-05-02 10:00+02'), (2, timestamptz '2024-05-02 11:30+02')) AS v (id, at)
WHERE s.id = v.id;

UPDATE price_history ph
SET valid = daterange(lower(ph.valid), CURRENT_DATE)
WHERE upper_inf(ph.valid) AND ph.variant_id IN (SELECT v.id FROM variants v JOIN products p ON p.id = v.product_id WHERE p.discontinued);

UPDATE products
SET (name, description) = ROW (initcap(name), trim(both from description))
WHERE name = upper(name);

UPDATE customers c SET country = a.country
FROM (SELECT DISTINCT ON (customer_id) customer_id, country FROM addresses ORDER BY customer_id, is_default DESC) a
WHERE a.customer_id = c.id AND c.country <> a.country;

DELETE FROM order_lines WHERE order_id = $1 AND line_no = ANY ($2::smallint[]);

DELETE FROM orders WHERE status = 'cart' AND updated_at < now() - make_interval(days => 60);

DELETE FROM stock_levels s
USING variants v, products p
WHERE v.id = s.variant_id AND p.id = v.product_id AND p.discontinued AND s.on_hand = 0
RETURNING s.warehouse_code, s.bin, v.sku;

DELETE FROM reviews r
USING reviews older
WHERE older.product_id = r.product_id AND older.customer_id = r.customer_id AND older.id < r.id;

DELETE FROM addresses WHERE id NOT IN (
    SELECT shipping_address FROM orders WHERE shipping_address IS NOT NULL
    UNION
    SELECT billing_address FROM orders WHERE billing_address IS NOT NULL
) AND NOT is_default;

DELETE FROM analytics.page_events
WHERE ctid IN (SELECT ctid FROM analytics.page_events WHERE occurred_at < '2022-01-01' LIMIT 10000);

delete from crm.tickets as t using crm.contacts as c
where c.id = t.contact_id
  and c.customer_id is null
returning t.*, c.full_name;

DELETE FROM ONLY payments p
WHERE p.status = 'failed'
  AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = p.order_id AND o.status = 'placed');

MERGE INTO stock_levels AS t
USING (SELECT variant_id, sum(quantity) AS qty FROM stock_movements WHERE warehouse_code = 'BER1' GROUP BY variant_id) AS s
ON t.variant_id = s.variant_id AND t.warehouse_code = 'BER1'
WHEN MATCHED AND s.qty = 0 THEN
    DELETE
WHEN MATCHED THEN
    UPDATE SET on_hand = s.qty, counted_at = now()
WHEN NOT MATCHED THEN
    INSERT (warehouse_code, variant_id, on_hand) VALUES ('BER1', s.variant_id, s.qty);

MERGE INTO analytics.daily_sales ds
USING analytics.calendar c ON c.day = ds.day
WHEN MATCHED AND c.is_holiday AND ds.units = 0 THEN DELETE
WHEN MATCHED THEN DO NOTHING;

WITH feed AS (SELECT $1::text AS sku, $2::numeric AS price)
MERGE INTO products p USING feed ON feed.sku = p.sku
WHEN MATCHED AND p.list_price <> feed.price THEN UPDATE SET list_price = feed.price, updated_at = DEFAULT
WHEN NOT MATCHED AND feed.price > 0 THEN INSERT (sku, name, category_id, list_price) VALUES (feed.sku, feed.sku, 1, feed.price);

MERGE INTO ONLY suppliers AS tgt USING public.suppliers AS src ON src.email = tgt.email AND src.id > tgt.id
WHEN MATCHED THEN UPDATE SET (company, rating) = (src.company, (tgt.rating + src.rating) / 2);

MERGE INTO customers c
USING (VALUES ('a@x.example', 'A'), ('b@x.example', 'B')) AS v (email, first)
ON c.email = v.email
WHEN MATCHED THEN UPDATE SET first_name = v.first
WHEN NOT MATCHED THEN INSERT (email, first_name) VALUES (v.email, v.first)
RETURNING merge_action(), c.id;

INSERT INTO shipments (order_id, warehouse_code, carrier)
SELECT o.id, pick.warehouse_code, CASE WHEN a.country = 'DE' THEN 'DHL' ELSE 'UPS' END
FROM orders o
JOIN addresses a ON a.id = o.shipping_address
CROSS JOIN LATERAL (
    SELECT sl.warehouse_code
    FROM stock_levels sl
    JOIN order_lines l ON l.variant_id = sl.variant_id AND l.order_id = o.id
    GROUP BY sl.warehouse_code
    ORDER BY count(*) DESC
    LIMIT 1
) pick
WHERE o.status = 'paid'
RETURNING shipments.id, shipments.order_id;

UPDATE orders
SET status = CASE WHEN (SELECT bool_and(s.delivered_at IS NOT NULL) FROM shipments s WHERE s.order_id = orders.id) THEN 'delivered'::order_status ELSE status END
WHERE status = 'shipped';

INSERT INTO order_lines (order_id, line_no, variant_id, quantity, unit_price)
VALUES ((SELECT max(id) FROM orders), 1, 5, 2, 9.90), (currval('order_no_seq'), 2, 6, 1, 19.90)
ON CONFLICT (order_id, line_no) DO UPDATE SET quantity = order_lines.quantity + excluded.quantity, unit_price = least(order_lines.unit_price, excluded.unit_price)
RETURNING *, xmax = 0 AS inserted;

TRUNCATE TABLE analytics.daily_sales, analytics.page_events RESTART IDENTITY CASCADE;

-- order screen: header
SELECT o.id,
       o.status,
       o.placed_at AT TIME ZONE 'Europe/Berlin' AS placed_local,
       c.email,
       concat_ws(' ', c.first_name, c.last_name) AS customer,
       ship.line1 || coalesce(E'\n' || ship.line2, '') AS ship_line,
       ship.postal_code || ' ' || ship.city AS ship_city,
       bill.country AS bill_country,
       cc."Code" AS coupon,
       o.total,
       coalesce(pay.paid, 0) AS paid,
       o.total - coalesce(pay.paid, 0) AS due
FROM orders o
JOIN customers c ON c.id = o.customer_id
LEFT JOIN addresses ship ON ship.id = o.shipping_address
LEFT JOIN addresses bill ON bill.id = o.billing_address
LEFT JOIN "CouponCodes" cc ON cc."Id" = o.coupon_id
LEFT JOIN LATERAL (
    SELECT sum(p.amount) AS paid
    FROM payments p
    WHERE p.order_id = o.id AND p.status = 'captured' AND p.refunded_at IS NULL
) pay ON true
WHERE o.id = $1;

/* order screen: lines with the stock of every warehouse */
SELECT
    l.line_no,
    v.sku,
    p.name,
    v.color,
    v.size,
    l.quantity,
    l.unit_price,
    l.amount,
    stock.by_warehouse,
    stock.free >= l.quantity AS available
FROM order_lines l
    JOIN variants v ON v.id = l.variant_id
    JOIN products p ON p.id = v.product_id
    CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(s.warehouse_code, s.free) AS by_warehouse, sum(s.free) AS free
        FROM (
            SELECT warehouse_code, sum(on_hand - reserved) AS free
            FROM stock_levels
            WHERE variant_id = l.variant_id
            GROUP BY warehouse_code
        ) s
    ) stock
WHERE l.order_id = $1
ORDER BY l.line_no;

-- timeline of an order
SELECT t.at, t.what, t.detail
FROM (
    SELECT o.placed_at AS at, 'placed' AS what, o.currency || ' ' || o.total AS detail
    FROM orders o WHERE o.id = $1
    UNION ALL
    SELECT p.captured_at, 'payment ' || p.status, p.method
    FROM payments p WHERE p.order_id = $1
    UNION ALL
    SELECT s.shipped_at, 'shipped', s.carrier || coalesce(' ' || s.tracking_no, '')
    FROM shipments s WHERE s.order_id = $1
    UNION ALL
    SELECT (e.event ->> 'at')::timestamptz, e.event ->> 'status', e.event ->> 'place'
    FROM shipments s CROSS JOIN unnest(s.events) AS e (event)
    WHERE s.order_id = $1
    UNION ALL
    SELECT te.at, 'ticket ' || te.kind, te.author
    FROM crm.tickets k JOIN crm.ticket_events te ON te.ticket_id = k.id
    WHERE k.order_id = $1
) t
WHERE t.at IS NOT NULL
ORDER BY t.at, t.what;

SELECT c.id,
       c.email,
       c.created_at,
       stats.orders,
       stats.revenue,
       last_ticket.subject AS last_subject,
       last_ticket.opened_at AS last_opened
  FROM customers c
  LEFT JOIN analytics.customer_value stats ON stats.customer_id = c.id
  LEFT JOIN LATERAL (
        SELECT t.subject, t.opened_at
          FROM crm.contacts k
          JOIN crm.tickets t ON t.contact_id = k.id
         WHERE k.customer_id = c.id
         ORDER BY t.opened_at DESC
         LIMIT 1
       ) last_ticket ON TRUE
 WHERE c.deleted_at IS NULL
   AND (c.email ILIKE '%' || $1 || '%' OR concat(c.first_name, ' ', c.last_name) ILIKE '%' || $1 || '%')
 ORDER BY stats.revenue DESC NULLS LAST, c.id
 LIMIT 50;

SELECT
	p.id
	, p.sku
	, p.name
	, s.company AS supplier
	, count(DISTINCT v.id) AS variants
	, coalesce(sum(sl.on_hand), 0) AS on_hand
	, min(ph.price) FILTER (WHERE ph.valid @> current_date) AS price_from
	, max(pr.avg_rating) AS rating
FROM products p
LEFT JOIN suppliers s
	ON s.id = p.supplier_id
LEFT JOIN variants v
	ON v.product_id = p.id
LEFT JOIN stock_levels sl
	ON sl.variant_id = v.id
LEFT JOIN price_history ph
	ON ph.variant_id = v.id
	AND ph.currency = $2
LEFT JOIN analytics.product_ratings pr
	ON pr.product_id = p.id
WHERE p.category_id IN (
	WITH RECURSIVE below AS (
		SELECT id FROM categories WHERE slug = $1
		UNION ALL
		SELECT c.id FROM categories c JOIN below b ON c.parent_id = b.id
	)
	SELECT id FROM below
)
GROUP BY p.id, s.company
HAVING count(v.id) > 0
ORDER BY on_hand DESC, p.sku;

SELECT w.code,
       w.name,
       (
           SELECT count(*)
           FROM shipments sh
           WHERE sh.warehouse_code = w.code AND sh.shipped_at::date = current_date
       ) AS shipped_today,
       (
           SELECT count(DISTINCT l.order_id)
           FROM order_lines l
           JOIN orders o ON o.id = l.order_id AND o.status IN ('paid', 'picking')
           JOIN stock_levels sl ON sl.variant_id = l.variant_id AND sl.warehouse_code = w.code
           WHERE sl.reserved > 0
       ) AS waiting,
       (
           SELECT string_agg(DISTINCT sl.bin, ', ' ORDER BY sl.bin)
           FROM stock_levels sl
           WHERE sl.warehouse_code = w.code AND sl.counted_at < now() - interval '90 days'
       ) AS bins_to_count
FROM warehouses w
ORDER BY w.country, w.code;

-- pick list
SELECT sl.warehouse_code, sl.bin, v.sku, sum(l.quantity) AS pieces, array_agg(DISTINCT o.id ORDER BY o.id) AS orders
FROM orders o
JOIN order_lines l ON l.order_id = o.id
JOIN variants v ON v.id = l.variant_id
JOIN LATERAL (
    SELECT s.warehouse_code, s.bin
    FROM stock_levels s
    WHERE s.variant_id = v.id AND s.on_hand >= l.quantity
    ORDER BY s.on_hand DESC, s.bin
    LIMIT 1
) sl ON TRUE
WHERE o.status = 'paid'
GROUP BY sl.warehouse_code, sl.bin, v.sku
ORDER BY sl.warehouse_code, sl.bin;

UPDATE orders AS o
SET status = 'picking',
    updated_at = now(),
    meta = o.meta || jsonb_build_object('wave', $1::text)
FROM (
    SELECT candidate.id
    FROM orders candidate
    WHERE candidate.status = 'paid'
      AND NOT EXISTS (
          SELECT 1
          FROM order_lines l
          WHERE l.order_id = candidate.id
            AND l.quantity > (
                SELECT coalesce(sum(s.on_hand - s.reserved), 0)
                FROM stock_levels s
                WHERE s.variant_id = l.variant_id
            )
      )
    ORDER BY candidate.placed_at
    LIMIT 40
    FOR UPDATE OF candidate SKIP LOCKED
) AS wave
WHERE wave.id = o.id
RETURNING o.id, o.customer_id, o.total;

SELECT t.id,
       t.subject,
       CASE t.priority WHEN 1 THEN 'urgent' WHEN 2 THEN 'high' WHEN 3 THEN 'normal' ELSE 'low' END AS priority,
       t.opened_at + t.sla AS due_at,
       t.opened_at + t.sla < now() AS overdue,
       k.full_name,
       k.phones[1] AS phone,
       latest.kind AS last_event,
       latest.at AS last_event_at,
       o.status AS order_status
FROM crm.tickets AS t
INNER JOIN crm.contacts AS k ON t.contact_id = k.id
LEFT JOIN public.orders AS o ON t.order_id = o.id
LEFT JOIN (
    SELECT DISTINCT ON (ticket_id) ticket_id, kind, at
    FROM crm.ticket_events
    ORDER BY ticket_id, seq DESC
) AS latest ON latest.ticket_id = t.id
WHERE t.state = ANY ($1)
  AND ($2::text IS NULL OR k.owner = $2)
ORDER BY overdue DESC, t.priority, due_at;

WITH mine AS (
    SELECT k.id FROM crm.contacts k WHERE k.owner = $1
),
closed AS (
    UPDATE crm.tickets t
    SET state = 'closed', closed_at = now()
    WHERE t.contact_id IN (SELECT mine.id FROM mine)
      AND t.state = 'solved'
      AND NOT EXISTS (
          SELECT 1 FROM crm.ticket_events e
          WHERE e.ticket_id = t.id AND e.at > now() - interval '3 days'
      )
    RETURNING t.id, t.closed_at
)
INSERT INTO crm.ticket_events (ticket_id, seq, kind, author, at)
SELECT closed.id,
       1 + (SELECT max(e.seq) FROM crm.ticket_events e WHERE e.ticket_id = closed.id),
       'auto-closed',
       $1,
       closed.closed_at
FROM closed;

SELECT r.id, r.rating, r.title,
       left(r.body, 200) || CASE WHEN length(r.body) > 200 THEN '…' ELSE '' END AS excerpt,
       coalesce(c.first_name, 'anonymous') AS author,
       EXISTS (
           SELECT 1
           FROM orders o
           JOIN order_lines l ON l.order_id = o.id
           JOIN variants v ON v.id = l.variant_id
           WHERE o.customer_id = r.customer_id
             AND v.product_id = r.product_id
             AND o.status = 'delivered'
       ) AS verified
FROM reviews r
LEFT JOIN customers c ON c.id = r.customer_id
WHERE r.product_id = $1
ORDER BY verified DESC, r.helpful DESC, r.created_at DESC
LIMIT 10 OFFSET $2;

SELECT cc."Code",
       cc."PercentOff",
       cc."ValidFrom"::date AS valid_from,
       coalesce(to_char(cc."ValidTo", 'YYYY-MM-DD'), '-') AS valid_to,
       usage.n AS used,
       cc."MaxUses" - usage.n AS left,
       usage.revenue
FROM "CouponCodes" cc
LEFT JOIN (
    SELECT coupon_id, count(*) AS n, sum(total) AS revenue
    FROM orders
    WHERE status <> 'cancelled'
    GROUP BY coupon_id
) usage ON usage.coupon_id = cc."Id"
WHERE tstzrange(cc."ValidFrom", cc."ValidTo") @> now()
ORDER BY cc."order", cc."Code";

-- possible duplicates among the customers
SELECT a.id AS first_id,
       b.id AS second_id,
       a.email AS first_email,
       b.email AS second_email,
       (a.last_ip = b.last_ip)::int + (a.birthday = b.birthday)::int + (aa.postal_code = ba.postal_code)::int AS points
FROM customers a
JOIN customers b
  ON b.id > a.id
 AND lower(b.last_name) = lower(a.last_name)
 AND left(lower(b.first_name), 1) = left(lower(a.first_name), 1)
LEFT JOIN addresses aa ON aa.customer_id = a.id AND aa.is_default
LEFT JOIN addresses ba ON ba.customer_id = b.id AND ba.is_default
WHERE a.deleted_at IS NULL
  AND b.deleted_at IS NULL
ORDER BY points DESC NULLS LAST
LIMIT 200;

SELECT coalesce(current.carrier, previous.carrier) AS carrier,
       current.parcels,
       previous.parcels AS parcels_before,
       round(100.0 * (current.parcels - previous.parcels) / nullif(previous.parcels, 0), 1) AS change_pct
FROM (
    SELECT carrier, count(*) AS parcels
    FROM shipments
    WHERE shipped_at >= date_trunc('month', now())
    GROUP BY carrier
) current
FULL JOIN (
    SELECT carrier, count(*) AS parcels
    FROM shipments
    WHERE shipped_at >= date_trunc('month', now()) - interval '1 month'
      AND shipped_at < date_trunc('month', now())
    GROUP BY carrier
) previous USING (carrier)
ORDER BY carrier;

INSERT INTO customers (email, first_name, last_name, country, preferences)
SELECT DISTINCT ON (lower(rec.email))
       lower(rec.email),
       nullif(trim(rec.first), ''),
       nullif(trim(rec.last), ''),
       coalesce(rec.country, 'DE'),
       jsonb_build_object('newsletter', rec.optin, 'imported', true)
FROM jsonb_to_recordset($1::jsonb) AS rec (email text, first text, last text, country char(2), optin boolean)
WHERE rec.email LIKE '%_@_%'
ORDER BY lower(rec.email), rec.optin DESC
ON CONFLICT (email) DO UPDATE
    SET first_name  = coalesce(customers.first_name, excluded.first_name),
        last_name   = coalesce(customers.last_name, excluded.last_name),
        preferences = customers.preferences || excluded.preferences
    WHERE customers.deleted_at IS NULL
RETURNING id, email, created_at = now() AS is_new;

SELECT q.sku, q.color, q.size, q.free, q.sold_30d,
       CASE
           WHEN q.sold_30d = 0 THEN NULL
           ELSE floor(q.free / (q.sold_30d / 30.0))
       END AS days_left,
       q.lead_time
FROM (
    SELECT v.sku, v.color, v.size, s.lead_time,
           (SELECT coalesce(sum(on_hand - reserved), 0) FROM stock_levels WHERE variant_id = v.id) AS free,
           (SELECT coalesce(sum(l.quantity), 0)
              FROM order_lines l
              JOIN orders o ON o.id = l.order_id
             WHERE l.variant_id = v.id
               AND o.placed_at > now() - interval '30 days') AS sold_30d
    FROM variants v
    JOIN products p ON p.id = v.product_id
    JOIN suppliers s ON s.id = p.supplier_id
    WHERE NOT p.discontinued
) AS q
WHERE q.sold_30d > 0
  AND q.free / (q.sold_30d / 30.0) < extract(day FROM q.lead_time)
ORDER BY days_left;

SELECT facet, value, n
FROM (
    SELECT 'color' AS facet, v.color AS value, count(DISTINCT v.product_id) AS n
    FROM variants v WHERE v.product_id = ANY ($1) GROUP BY v.color
    UNION ALL
    SELECT 'size', v.size, count(DISTINCT v.product_id)
    FROM variants v WHERE v.product_id = ANY ($1) GROUP BY v.size
    UNION ALL
    SELECT 'tag', tag, count(*)
    FROM products p, unnest(p.tags) AS tag WHERE p.id = ANY ($1) GROUP BY tag
    UNION ALL
    SELECT 'brand', p.details ->> 'brand', count(*)
    FROM products p WHERE p.id = ANY ($1) GROUP BY p.details ->> 'brand'
) facets
WHERE value IS NOT NULL
ORDER BY facet, n DESC, value;

DELETE FROM crm.contacts AS k
USING public.customers AS c
    LEFT JOIN public.orders AS o ON o.customer_id = c.id
WHERE k.customer_id = c.id
  AND c.deleted_at < now() - interval '1 year'
  AND o.id IS NULL
  AND NOT EXISTS (SELECT 1 FROM crm.tickets t WHERE t.contact_id = k.id AND t.state <> 'closed')
RETURNING k.id, k.full_name, c.email;

SELECT to_char(d.day, 'DD.MM.') AS label,
       d.day,
       cal.is_holiday,
       coalesce(o.n, 0) AS orders,
       coalesce(t.n, 0) AS tickets,
       coalesce(t.n, 0)::numeric / nullif(o.n, 0) AS tickets_per_order
FROM generate_series(current_date - 13, current_date, '1 day') AS d (day)
LEFT JOIN analytics.calendar cal ON cal.day = d.day::date
LEFT JOIN (
    SELECT placed_at::date AS day, count(*) AS n FROM orders GROUP BY placed_at::date
) o ON o.day = d.day
LEFT JOIN (
    SELECT opened_at::date AS day, count(*) AS n FROM crm.tickets GROUP BY opened_at::date
) t ON t.day = d.day
ORDER BY d.day;

SELECT sm.moved_at,
       sm.reason,
       sm.quantity,
       sum(sm.quantity) OVER (PARTITION BY sm.warehouse_code ORDER BY sm.moved_at, sm.id) AS balance,
       sm.reference ->> 'order_id' AS order_ref,
       o.status
FROM stock_movements sm
LEFT JOIN orders o ON o.id = (sm.reference ->> 'order_id')::bigint
WHERE sm.variant_id = (SELECT v.id FROM variants v WHERE v.sku = upper($1))
  AND sm.warehouse_code = $2
ORDER BY sm.moved_at DESC, sm.id
LIMIT 100;

SELECT id, "Name", "ParentName", level, children, products
FROM (
    WITH RECURSIVE h AS (
        SELECT c.id, c.name AS "Name", NULL::varchar AS "ParentName", 0 AS level, c.position, ARRAY[c.position] AS sort
        FROM categories c
        WHERE c.parent_id IS NULL
        UNION ALL
        SELECT c.id, c.name, h."Name", h.level + 1, c.position, h.sort || c.position
        FROM categories c
        JOIN h ON h.id = c.parent_id
    )
    SELECT h.*,
           (SELECT count(*) FROM categories x WHERE x.parent_id = h.id) AS children,
           (SELECT count(*) FROM products p WHERE p.category_id = h.id) AS products
    FROM h
) menu
WHERE menu.products > 0 OR menu.children > 0
ORDER BY menu.sort, "Name";

MERGE INTO crm.contacts AS k
USING (
    SELECT c.id, concat_ws(' ', c.first_name, c.last_name) AS full_name, count(o.id) AS orders
    FROM public.customers c
    LEFT JOIN public.orders o ON o.customer_id = c.id
    WHERE c.deleted_at IS NULL
    GROUP BY c.id
    HAVING concat_ws(' ', c.first_name, c.last_name) <> ''
) AS src
ON k.customer_id = src.id
WHEN MATCHED AND k.full_name IS DISTINCT FROM src.full_name THEN
    UPDATE SET full_name = src.full_name, tags = k.tags || to_jsonb('renamed'::text)
WHEN MATCHED AND src.orders = 0 AND k.created_at < now() - interval '2 years' THEN
    DELETE
WHEN NOT MATCHED AND src.orders > 0 THEN
    INSERT (customer_id, full_name, tags)
    VALUES (src.id, src.full_name, jsonb_build_array('auto'));

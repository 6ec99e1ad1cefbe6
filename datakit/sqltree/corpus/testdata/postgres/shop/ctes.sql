WITH recent AS (SELECT * FROM orders WHERE placed_at > now() - interval '7 days')
SELECT customer_id, count(*) FROM recent GROUP BY customer_id;

WITH RECURSIVE tree AS (
    SELECT id, parent_id, name, 1 AS depth, ARRAY[id] AS path
    FROM categories
    WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, c.parent_id, c.name, t.depth + 1, t.path || c.id
    FROM categories c
    JOIN tree t ON t.id = c.parent_id
)
SELECT repeat('  ', depth - 1) || name AS label, path FROM tree ORDER BY path;

WITH RECURSIVE up (id, parent_id, slug) AS (
    SELECT id, parent_id, slug FROM categories WHERE id = $1
    UNION
    SELECT c.id, c.parent_id, c.slug FROM categories c INNER JOIN up ON up.parent_id = c.id
)
SELECT string_agg(slug, '/' ORDER BY id) AS breadcrumb FROM up;

with
  paid as (select order_id, sum(amount) as paid from payments where status = 'captured' group by order_id),
  due  as (select id as order_id, total from orders where status <> 'cancelled')
select due.order_id, due.total - coalesce(paid.paid, 0) as outstanding
from due left join paid using (order_id)
where due.total > coalesce(paid.paid, 0);

-- the CTE hides the table of the same name
WITH products AS (
    SELECT id, sku, name FROM products WHERE NOT discontinued
)
SELECT products.sku, v.color FROM products JOIN variants v ON v.product_id = products.id;

WITH orders AS (SELECT o.id AS order_no, o.customer_id AS buyer FROM public.orders o)
SELECT orders.order_no, orders.buyer, p.status FROM orders JOIN public.orders p ON p.id = orders.order_no;

WITH a AS (
    WITH b AS (
        WITH c AS (SELECT id, country FROM customers)
        SELECT c.id, c.country FROM c WHERE c.country = 'FR'
    )
    SELECT b.id FROM b
)
SELECT o.id, o.total FROM orders o WHERE o.customer_id IN (SELECT a.id FROM a);

WITH line_stats AS MATERIALIZED (
    SELECT variant_id, sum(quantity) AS sold, max(unit_price) AS top_price
    FROM order_lines
    GROUP BY variant_id
), stock AS NOT MATERIALIZED (
    SELECT variant_id, sum(on_hand - reserved) AS available
    FROM stock_levels
    GROUP BY variant_id
)
SELECT v.sku, ls.sold, s.available,
       CASE WHEN ls.sold > 0 THEN s.available::numeric / ls.sold END AS cover
FROM variants v
LEFT JOIN line_stats ls ON ls.variant_id = v.id
LEFT JOIN stock s ON s.variant_id = v.id
ORDER BY cover NULLS FIRST;

WITH moved AS (
    DELETE FROM stock_movements
    WHERE moved_at < now() - interval '5 years'
    RETURNING warehouse_code, variant_id, quantity
)
SELECT warehouse_code, sum(quantity) FROM moved GROUP BY warehouse_code;

WITH new_customer AS (
    INSERT INTO customers (email, first_name, last_name, country)
    VALUES ($1, $2, $3, $4)
    RETURNING id, email
), new_address AS (
    INSERT INTO addresses (customer_id, line1, city, country, is_default)
    SELECT nc.id, $5, $6, $4, true FROM new_customer nc
    RETURNING id AS address_id, customer_id
)
INSERT INTO crm.contacts (customer_id, full_name)
SELECT na.customer_id, concat($2::text, ' ', $3::text)
FROM new_address na
RETURNING id;

WITH upd AS (
    UPDATE orders SET status = 'cancelled', updated_at = now()
    WHERE status = 'placed' AND placed_at < now() - interval '14 days'
    RETURNING id, customer_id
)
SELECT c.email, upd.id AS order_id FROM upd JOIN customers c ON c.id = upd.customer_id;

WITH RECURSIVE months (m) AS (
    VALUES (DATE '2024-01-01')
    UNION ALL
    SELECT (m + interval '1 month')::date FROM months WHERE m < DATE '2024-12-01'
)
SELECT months.m, coalesce(sum(ds.revenue), 0) AS revenue
FROM months
LEFT JOIN analytics.daily_sales ds ON ds.day >= months.m AND ds.day < months.m + interval '1 month'
GROUP BY months.m;

WITH RECURSIVE chain AS (
    SELECT id, referrer_id, email::text, 0 AS hops FROM customers WHERE referrer_id IS NULL
    UNION ALL
    SELECT c.id, c.referrer_id, c.email::text, chain.hops + 1
    FROM chain, customers c
    WHERE c.referrer_id = chain.id AND chain.hops < 5
)
SELECT hops, count(*) AS customers FROM chain GROUP BY hops ORDER BY hops;

WITH RECURSIVE walk AS (
    SELECT id, parent_id, name FROM categories WHERE parent_id IS NULL
    UNION ALL
    SELECT k.id, k.parent_id, k.name FROM categories k JOIN walk w ON k.parent_id = w.id
) SEARCH DEPTH FIRST BY name, id SET ordering
SELECT id, name FROM walk ORDER BY ordering;

WITH RECURSIVE referral AS (
    SELECT id, referrer_id FROM customers WHERE id = 1001
    UNION ALL
    SELECT c.id, c.referrer_id FROM customers c JOIN referral r ON c.id = r.referrer_id
) CYCLE id SET looped USING visited
SELECT id, referrer_id, looped, visited FROM referral WHERE NOT looped;

WITH RECURSIVE w(id, up) AS (
    SELECT id, parent_id FROM categories
    UNION ALL
    SELECT w.id, c.parent_id FROM w JOIN categories c ON c.id = w.up
) SEARCH BREADTH FIRST BY id SET seq CYCLE id, up SET is_cycle TO 'Y' DEFAULT 'N' USING trail
SELECT w.id, w.up, w.seq, w.is_cycle FROM w ORDER BY w.seq;

WITH totals AS (SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id),
     ranked AS (SELECT *, ntile(10) OVER (ORDER BY total DESC) AS decile FROM totals)
SELECT decile, count(*), min(total), max(total) FROM ranked GROUP BY decile ORDER BY decile;

WITH x AS (SELECT 1 AS id), y AS (SELECT x.id + 1 AS id FROM x), z AS (SELECT y.id * 2 AS id FROM y, x)
SELECT x.id, y.id, z.id FROM x, y, z;

WITH t (code, label) AS (VALUES ('web', 'Web shop'), ('app', 'Mobile app'), ('pos', 'Store'))
SELECT t.label, sum(s.revenue) AS revenue
FROM analytics.daily_sales s
LEFT JOIN t ON t.code = s.channel
GROUP BY t.label;

SELECT (WITH m AS (SELECT max(total) AS top FROM orders) SELECT top FROM m) AS largest, count(*) FROM customers;

SELECT c.id,
       (WITH mine AS (SELECT total FROM orders WHERE customer_id = c.id) SELECT avg(total) FROM mine) AS mean
FROM customers c;

WITH stale AS (
    SELECT id FROM orders WHERE status = 'cart' AND updated_at < now() - interval '30 days' LIMIT 500 FOR UPDATE SKIP LOCKED
), gone AS (
    DELETE FROM order_lines USING stale WHERE order_lines.order_id = stale.id RETURNING order_lines.order_id
)
DELETE FROM orders o USING stale s WHERE o.id = s.id AND o.id NOT IN (SELECT order_id FROM gone);

WITH src AS (
    SELECT variant_id, warehouse_code, sum(quantity) AS delta FROM stock_movements WHERE moved_at::date = CURRENT_DATE GROUP BY 1, 2
)
UPDATE stock_levels AS sl
SET on_hand = sl.on_hand + src.delta
FROM src
WHERE sl.variant_id = src.variant_id AND sl.warehouse_code = src.warehouse_code;

WITH sold AS (SELECT product_id, sum(units) AS units FROM analytics.daily_sales GROUP BY product_id),
rated AS (SELECT product_id, avg(rating) AS rating FROM reviews GROUP BY product_id)
(SELECT product_id, units::numeric AS score FROM sold ORDER BY units DESC LIMIT 5)
UNION ALL
(SELECT product_id, rating FROM rated ORDER BY rating DESC LIMIT 5);

WITH customers AS (SELECT 1 AS one)
SELECT one, (SELECT count(*) FROM public.customers) AS real_customers FROM customers;

WITH s AS (
  SELECT session_id, min(occurred_at) AS started, max(occurred_at) AS ended, count(*) AS hits
  FROM analytics.page_events GROUP BY session_id
)
SELECT width_bucket(extract(epoch FROM ended - started)::numeric, 0, 3600, 12) AS bucket, avg(hits) AS depth
FROM s GROUP BY bucket;

WITH base AS (SELECT o.*, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at) AS rn FROM orders o)
SELECT b.id, b.total, b.rn, prev.total AS previous_total
FROM base b
LEFT JOIN base prev ON prev.customer_id = b.customer_id AND prev.rn = b.rn - 1
WHERE b.rn > 1;

WITH RECURSIVE digits AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM digits WHERE n < 9)
SELECT a.n * 10 + b.n AS bin_no FROM digits a, digits b WHERE NOT EXISTS (SELECT 1 FROM stock_levels s WHERE s.bin = 'A' || (a.n * 10 + b.n)) ORDER BY 1;

with inserted as (
  insert into crm.tickets (contact_id, subject)
  select c.id, 'Welcome call' from crm.contacts c where c.created_at > now() - interval '1 day'
  returning *
)
insert into crm.ticket_events (ticket_id, seq, kind, body)
select i.id, 1, 'opened', i.subject from inserted i;

WITH f AS (SELECT day, sum(units) AS units FROM analytics.daily_sales GROUP BY day),
     g AS (SELECT f.day, f.units, avg(f.units) OVER w AS ma7 FROM f WINDOW w AS (ORDER BY f.day ROWS 6 PRECEDING))
SELECT g.* FROM g WHERE g.units > 2 * g.ma7;

WITH ab (a, b) AS (SELECT id, total FROM orders) SELECT a, b FROM ab WHERE b > (SELECT avg(b) FROM ab);

WITH partial (order_no) AS (SELECT id, customer_id, total FROM orders)
SELECT order_no, customer_id, total FROM partial;

WITH RECURSIVE bom AS (
    SELECT v.id AS variant_id, (v.product_id)::bigint AS product_id, 1 AS lvl FROM variants v WHERE v.sku = $1
    UNION ALL (
        SELECT v2.id, v2.product_id, bom.lvl + 1
        FROM bom JOIN variants v2 ON v2.product_id = bom.product_id AND v2.id > bom.variant_id
    )
)
TABLE bom;

WITH d AS (SELECT DISTINCT ON (product_id) product_id, revenue FROM analytics.monthly_revenue ORDER BY product_id, month DESC)
SELECT p.name, d.revenue FROM products p LEFT JOIN d ON d.product_id = p.id;

WITH keep AS (SELECT min(id) AS id FROM reviews GROUP BY product_id, customer_id)
DELETE FROM reviews WHERE id NOT IN (SELECT keep.id FROM keep) RETURNING reviews.*;

WITH lost AS (SELECT sm.id FROM stock_movements AS sm LEFT JOIN stock_levels AS sl USING (warehouse_code, variant_id) WHERE sl.bin IS NULL)
SELECT count(*) AS orphans FROM lost;

WITH rows AS (SELECT 1 AS value), range AS (SELECT value FROM rows) SELECT range.value FROM range;

WITH u AS (UPDATE products SET list_price = list_price * 1.03 WHERE supplier_id = 7 RETURNING id, list_price AS new_price),
     o AS (SELECT id, list_price AS old_price FROM products WHERE supplier_id = 7)
SELECT u.id, o.old_price, u.new_price FROM u JOIN o USING (id);

WITH
-- funnel of the last day
steps AS (
    SELECT session_id,
           bool_or(kind = 'view')     AS viewed,
           bool_or(kind = 'add')      AS added,
           bool_or(kind = 'checkout') AS checked_out
    FROM analytics.page_events
    WHERE occurred_at > now() - interval '1 day'
    GROUP BY session_id
)
SELECT count(*) FILTER (WHERE viewed) AS views,
       count(*) FILTER (WHERE viewed AND added) AS adds,
       count(*) FILTER (WHERE viewed AND added AND checked_out) AS checkouts
FROM steps;

WITH o AS (TABLE orders) SELECT o.id, o.meta FROM o WHERE o.meta IS NOT NULL;

WITH RECURSIVE runs AS (
    (SELECT o.id, o.placed_at, o.customer_id FROM orders o ORDER BY o.placed_at LIMIT 1)
    UNION ALL
    SELECT n.id, n.placed_at, n.customer_id
    FROM runs r
    CROSS JOIN LATERAL (
        SELECT * FROM orders o WHERE o.placed_at > r.placed_at + interval '1 hour' ORDER BY o.placed_at LIMIT 1
    ) n
)
SELECT count(*) FROM runs;

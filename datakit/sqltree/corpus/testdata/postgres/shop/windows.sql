SELECT id, customer_id, total, row_number() OVER (PARTITION BY customer_id ORDER BY placed_at) AS nth
FROM orders;

SELECT day, revenue, sum(revenue) OVER (ORDER BY day) AS running
FROM (SELECT day, sum(revenue) AS revenue FROM analytics.daily_sales GROUP BY day) d;

SELECT p.category_id, p.sku, p.list_price,
       rank()         OVER w AS rnk,
       dense_rank()   OVER w AS dense,
       percent_rank() OVER w AS pct,
       cume_dist()    OVER w AS cume
FROM products p
WINDOW w AS (PARTITION BY p.category_id ORDER BY p.list_price DESC);

SELECT variant_id, lower(valid) AS since, price,
       lag(price) OVER (PARTITION BY variant_id ORDER BY lower(valid)) AS before,
       price - lag(price, 1, price) OVER (PARTITION BY variant_id ORDER BY lower(valid)) AS step
FROM price_history;

SELECT *
FROM (
    SELECT o.id, o.customer_id, o.total,
           row_number() OVER (PARTITION BY o.customer_id ORDER BY o.total DESC) AS rn
    FROM orders o
) ranked
WHERE ranked.rn <= 3;

SELECT day, units,
       avg(units) OVER (PARTITION BY product_id ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS ma7,
       avg(units) OVER (PARTITION BY product_id ORDER BY day ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING) AS centered
FROM analytics.daily_sales
WHERE country = 'DE' AND channel = 'web';

SELECT moved_at, quantity,
       sum(quantity) OVER (ORDER BY moved_at RANGE BETWEEN INTERVAL '1 day' PRECEDING AND CURRENT ROW) AS last_24h
FROM stock_movements
WHERE variant_id = $1;

select session_id, occurred_at, kind,
  first_value(url) over s as landing_page,
  last_value(url) over (s rows between unbounded preceding and unbounded following) as exit_page,
  nth_value(url, 2) over (s range between unbounded preceding and unbounded following) as second_page
from analytics.page_events
window s as (partition by session_id order by occurred_at);

SELECT id, total,
       sum(total) OVER (ORDER BY placed_at GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) AS neighbours,
       count(*) OVER (ORDER BY placed_at GROUPS UNBOUNDED PRECEDING EXCLUDE TIES) AS seen
FROM orders;

SELECT w.country, w.code, sum(s.on_hand) AS on_hand,
       sum(sum(s.on_hand)) OVER (PARTITION BY w.country) AS country_total,
       round(sum(s.on_hand) * 100.0 / sum(sum(s.on_hand)) OVER (), 2) AS pct_of_all
FROM warehouses w
JOIN stock_levels s ON s.warehouse_code = w.code
GROUP BY w.country, w.code
ORDER BY pct_of_all DESC;

SELECT o.customer_id, o.placed_at,
       o.placed_at - lag(o.placed_at) OVER (PARTITION BY o.customer_id ORDER BY o.placed_at) AS gap,
       lead(o.id) OVER (PARTITION BY o.customer_id ORDER BY o.placed_at) AS next_order
FROM orders o
WHERE o.placed_at IS NOT NULL;

-- gaps and islands: unbroken runs of days with sales
SELECT product_id, min(day) AS run_start, max(day) AS run_end, count(*) AS days
FROM (
    SELECT product_id, day,
           day - (row_number() OVER (PARTITION BY product_id ORDER BY day))::int AS grp
    FROM (SELECT DISTINCT product_id, day FROM analytics.daily_sales) u
) t
GROUP BY product_id, grp
HAVING count(*) >= 7
ORDER BY days DESC;

SELECT session_id, occurred_at,
       sum(is_new) OVER (PARTITION BY customer_id ORDER BY occurred_at) AS visit_no
FROM (
    SELECT e.*,
           CASE WHEN e.occurred_at - lag(e.occurred_at) OVER (PARTITION BY e.customer_id ORDER BY e.occurred_at) > interval '30 min'
                THEN 1 ELSE 0 END AS is_new
    FROM analytics.page_events e
) marked;

SELECT t.id, t.priority, t.opened_at,
       count(*) FILTER (WHERE t.closed_at IS NULL) OVER (PARTITION BY t.priority ORDER BY t.opened_at) AS open_before
FROM crm.tickets t;

SELECT country, revenue, ntile(4) OVER (ORDER BY revenue) AS quartile
FROM (SELECT country, sum(revenue) AS revenue FROM analytics.daily_sales GROUP BY country) AS s
ORDER BY quartile, country;

SELECT c.id, c.name, c.position,
       array_agg(c.id) OVER siblings AS seen,
       max(c.position) OVER (siblings RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS near_max
FROM categories c
WINDOW siblings AS (PARTITION BY c.parent_id ORDER BY c.position);

SELECT id, rating, avg(rating) OVER (PARTITION BY product_id) AS product_avg,
  rating - avg(rating) OVER (PARTITION BY product_id) AS deviation FROM reviews ORDER BY abs(rating - avg(rating) OVER (PARTITION BY product_id)) DESC LIMIT 50;

SELECT DISTINCT customer_id,
       first_value(status) OVER (PARTITION BY customer_id ORDER BY placed_at DESC NULLS LAST) AS current_status
FROM orders;

SELECT a.*, b.share
FROM (SELECT id, order_id, amount FROM payments) a
JOIN (
    SELECT id, amount / sum(amount) OVER (PARTITION BY order_id) AS share FROM payments WHERE amount > 0
) b ON b.id = a.id
WHERE b.share < 1;

SELECT month, product_id, revenue,
       revenue - lag(revenue, 12) OVER by_product AS yoy,
       100 * (revenue / nullif(first_value(revenue) OVER by_product, 0)) AS index
FROM analytics.monthly_revenue
WINDOW by_product AS (PARTITION BY product_id ORDER BY month),
       unused AS (PARTITION BY month);

SELECT max(nth) AS longest
FROM (SELECT row_number() OVER (PARTITION BY order_id) nth FROM order_lines) AS numbered;

SELECT o.id, rank() OVER (ORDER BY o.total DESC, o.placed_at ASC) AS place, (o.total > avg(o.total) OVER ()) AS above_average
FROM orders o ORDER BY place FETCH NEXT ROW ONLY;

SELECT te.ticket_id, te.seq, te.at,
       te.at - first_value(te.at) OVER (PARTITION BY te.ticket_id ORDER BY te.seq) AS since_open,
       lead(te.kind) OVER (PARTITION BY te.ticket_id ORDER BY te.seq) AS followed_by
FROM crm.ticket_events te
ORDER BY ticket_id, seq;

SELECT x.customer_id, x.total, x.running
FROM (
    SELECT o.customer_id, o.total, sum(o.total) OVER (PARTITION BY o.customer_id ORDER BY o.placed_at, o.id) AS running
    FROM orders o
    WHERE o.status = 'delivered'
) AS x
WHERE x.running - x.total < 1000 AND x.running >= 1000;

SELECT carrier,
       date_trunc('month', shipped_at) AS month,
       count(*) AS parcels,
       count(*) - lag(count(*)) OVER (PARTITION BY carrier ORDER BY date_trunc('month', shipped_at)) AS change
FROM shipments
WHERE shipped_at IS NOT NULL
GROUP BY carrier, date_trunc('month', shipped_at);

SELECT s.day, s.total, s.total >= max(s.total) OVER (ORDER BY s.day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS record
FROM (SELECT placed_at::date AS day, sum(total) AS total FROM orders GROUP BY 1) s;

SELECT sku, color, count(*) OVER (PARTITION BY product_id, color) > 1 AS several_sizes
FROM variants;

SELECT p.id,
       p.name,
       (SELECT r.id FROM (SELECT id, row_number() OVER (ORDER BY helpful DESC) AS n FROM reviews WHERE product_id = p.id) r WHERE r.n = 1) AS best_review
FROM products p;

SELECT regexp_replace(email, '^[^@]+@', '') AS domain, id, rank() OVER (PARTITION BY regexp_replace(email, '^[^@]+@', '') ORDER BY created_at)
FROM customers;

SELECT country, channel, sum(units) AS units, rank() OVER (PARTITION BY grouping(channel) ORDER BY sum(units) DESC) AS pos
FROM analytics.daily_sales
GROUP BY ROLLUP (country, channel)
ORDER BY grouping(channel), pos;

SELECT sum(on_hand) OVER (PARTITION BY warehouse_code ORDER BY on_hand DESC ROWS UNBOUNDED PRECEDING)::numeric
         / sum(on_hand) OVER (PARTITION BY warehouse_code) AS cumulative_share,
       stock_levels.*
FROM stock_levels;

SELECT lag(c) OVER (ORDER BY c.created_at) AS previous_customer, c.email FROM customers c;

SELECT id, last_name, first_name, row_number() OVER (ORDER BY last_name COLLATE "de-x-icu", first_name COLLATE "de-x-icu") AS nr
FROM customers
WHERE deleted_at IS NULL
ORDER BY nr
OFFSET $1 LIMIT $2;

SELECT calendar.day, calendar.is_holiday,
       count(*) FILTER (WHERE NOT calendar.is_holiday) OVER (PARTITION BY calendar.year, calendar.month ORDER BY calendar.day) AS working_day_no
FROM analytics.calendar;

SELECT variant_id, valid, price FROM price_history
WINDOW w AS (PARTITION BY variant_id ORDER BY valid)
ORDER BY count(*) OVER w, first_value(currency) OVER w;

SELECT exists_before, count(*) FROM (
  SELECT EXISTS (SELECT 1 FROM orders e WHERE e.customer_id = o.customer_id AND e.id < o.id) AS exists_before,
         max(o.total) OVER (PARTITION BY o.customer_id) AS best
  FROM orders o
) q WHERE best > 0 GROUP BY exists_before;

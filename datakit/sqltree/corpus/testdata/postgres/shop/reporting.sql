SELECT count(*) FROM orders;

-- Turnover of the last complete month
SELECT sum(total) AS turnover
FROM orders
WHERE placed_at >= date_trunc('month', now()) - interval '1 month'
  AND placed_at <  date_trunc('month', now())
  AND status NOT IN ('cart', 'cancelled');

select o.status, count(*) as n, round(avg(o.total), 2) as avg_total
from orders o
group by o.status
having count(*) > 10
order by n desc;

SELECT p.sku, p.name, SUM(l.quantity) AS units, SUM(l.amount) AS revenue
FROM order_lines l
  JOIN variants v ON v.id = l.variant_id
  JOIN products p ON p.id = v.product_id
  JOIN orders o ON o.id = l.order_id
WHERE o.placed_at::date BETWEEN DATE '2024-01-01' AND DATE '2024-03-31'
GROUP BY p.id
ORDER BY revenue DESC, p.sku
LIMIT 20;

SELECT extract(year FROM placed_at) AS y, extract(quarter FROM placed_at) AS q, sum(total)
FROM orders WHERE placed_at IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2;

SELECT country,
       channel,
       sum(revenue)              AS revenue,
       sum(revenue) - sum(cost)  AS margin,
       grouping(country, channel) AS level
FROM analytics.daily_sales
GROUP BY ROLLUP (country, channel)
ORDER BY level DESC, country NULLS LAST, channel NULLS LAST;

SELECT c.year, c.quarter, s.country, SUM(s.units)
FROM analytics.daily_sales s
JOIN analytics.calendar c USING (day)
GROUP BY GROUPING SETS ((c.year, c.quarter), (c.year, s.country), (c.year), ())
ORDER BY c.year NULLS FIRST, c.quarter, s.country;

SELECT coalesce(s.channel, 'all') AS channel, CASE grouping(p.category_id) WHEN 1 THEN 'total' ELSE p.category_id::text END AS category, sum(s.units) AS units
FROM analytics.daily_sales s JOIN products p ON p.id = s.product_id
GROUP BY CUBE (s.channel, p.category_id);

/* Share of orders with a coupon, by country of delivery */
SELECT a.country,
       count(*) AS orders,
       count(o.coupon_id) AS with_coupon,
       round(100.0 * count(o.coupon_id) / nullif(count(*), 0), 1) AS pct
FROM orders o
LEFT JOIN addresses a ON a.id = o.shipping_address
GROUP BY a.country
ORDER BY pct DESC NULLS LAST;

SELECT count(*) FILTER (WHERE status = 'delivered') AS delivered
     , count(*) FILTER (WHERE status = 'returned')  AS returned
     , count(*) FILTER (WHERE status IN ('placed', 'paid', 'picking')) AS in_progress
     , sum(total) FILTER (WHERE currency = 'EUR' AND status <> 'cancelled') AS eur
FROM orders
WHERE placed_at > CURRENT_DATE - 90;

SELECT to_char(day, 'YYYY-MM') AS month, sum(revenue) AS revenue
FROM analytics.daily_sales
GROUP BY month
ORDER BY month;

SELECT w.name AS warehouse,
       sum(sl.on_hand * coalesce(ph.price, 0)) AS stock_value
FROM warehouses w
JOIN stock_levels sl ON sl.warehouse_code = w.code
LEFT JOIN price_history ph ON ph.variant_id = sl.variant_id AND ph.valid @> CURRENT_DATE
GROUP BY w.code, w.name
HAVING sum(sl.on_hand) > 0
ORDER BY stock_value DESC;

SELECT
	cu.country
	, date_part('year', age(cu.birthday))::int / 10 * 10 AS decade
	, COUNT(DISTINCT cu.id) AS customers
	, SUM(o.total) AS spent
FROM customers AS cu
INNER JOIN orders AS o ON o.customer_id = cu.id
WHERE cu.birthday IS NOT NULL
GROUP BY cu.country, decade
ORDER BY cu.country, decade;

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) AS median,
       percentile_cont(ARRAY[0.9, 0.95, 0.99]) WITHIN GROUP (ORDER BY total) AS tail,
       mode() WITHIN GROUP (ORDER BY currency) AS usual_currency
FROM orders
WHERE status = 'delivered';

SELECT carrier, avg(delivered_at - shipped_at) AS mean_transit, max(delivered_at - shipped_at) AS worst,
  count(*) FILTER (WHERE delivered_at - shipped_at > INTERVAL '5 days') AS late
FROM shipments WHERE delivered_at IS NOT NULL GROUP BY carrier;

SELECT category, count(*), min(list_price), max(list_price)
FROM active_products
GROUP BY category
ORDER BY 2 DESC, 1;

SELECT * FROM analytics.top_customers WHERE place <= 10 ORDER BY place;

SELECT mr.month::date, p.name, mr.revenue
FROM analytics.monthly_revenue mr
JOIN products p ON p.id = mr.product_id
WHERE mr.revenue > (SELECT avg(revenue) * 2 FROM analytics.monthly_revenue WHERE month = mr.month)
ORDER BY mr.month, mr.revenue DESC;

select method, currency, sum(amount) gross, sum(case when refunded_at is not null then amount else 0 end) refunded
from payments
where captured_at between timestamp with time zone '2024-01-01 00:00+01' and now()
group by method, currency;

SELECT string_agg(DISTINCT p.sku, ', ' ORDER BY p.sku) AS skus, s.company
FROM products p
JOIN suppliers s ON s.id = p.supplier_id
WHERE s.is_active
GROUP BY s.company;

SELECT r.rating, count(*) AS cnt, repeat('*', (count(*) / 10)::int) AS bar
FROM reviews r GROUP BY r.rating ORDER BY r.rating DESC;

SELECT width_bucket(total, 0, 1000, 10) AS bucket,
       int4range(min(total)::int, max(total)::int, '[]') AS range,
       count(*) AS freq
FROM orders
WHERE total > 0
GROUP BY bucket
ORDER BY bucket;

SELECT corr(s.units, s.revenue), regr_slope(s.revenue, s.units), stddev_samp(s.revenue), var_pop(s.units)
FROM analytics.daily_sales s
WHERE s.country = 'DE';

SELECT o.customer_id, array_agg(o.id ORDER BY o.placed_at DESC) AS order_ids,
       (array_agg(o.total ORDER BY o.placed_at DESC))[1] AS last_total
FROM orders o
GROUP BY o.customer_id
HAVING bool_or(o.status = 'returned') AND NOT bool_and(o.status = 'returned');

SELECT EXTRACT(isodow FROM placed_at AT TIME ZONE 'Europe/Berlin') AS dow,
       EXTRACT(hour FROM placed_at AT TIME ZONE 'Europe/Berlin') AS hr,
       count(*)
FROM orders
WHERE placed_at IS NOT NULL
GROUP BY dow, hr
ORDER BY dow, hr;

SELECT p.name AS product, pr.avg_rating, pr.reviews
FROM analytics.product_ratings AS pr
JOIN products AS p ON p.id = pr.product_id
WHERE pr.reviews >= 5
ORDER BY pr.avg_rating DESC, reviews DESC
FETCH FIRST 10 ROWS WITH TIES;

SELECT DISTINCT country
FROM customers
UNION
SELECT DISTINCT country
FROM suppliers
ORDER BY country;

SELECT cv.customer_id, cv.orders, cv.revenue / cv.orders AS avg_order, cv.last_order - cv.first_order AS lifetime
FROM analytics.customer_value cv
WHERE cv.orders > 1
ORDER BY lifetime DESC
OFFSET 10 ROWS FETCH NEXT 10 ROWS ONLY;

SELECT date_trunc('week', o.placed_at)::date AS week,
       count(DISTINCT o.customer_id) AS buyers,
       count(DISTINCT o.customer_id) FILTER (WHERE o.placed_at = f.first_order) AS new_buyers
FROM orders o
JOIN (SELECT customer_id, min(placed_at) AS first_order FROM orders GROUP BY customer_id) f
  ON f.customer_id = o.customer_id
WHERE o.placed_at >= '2024-01-01'
GROUP BY week
ORDER BY week;

SELECT "Code", "PercentOff", (SELECT count(*) FROM orders WHERE coupon_id = "Id") AS uses
FROM "CouponCodes"
WHERE "ValidTo" IS NULL OR "ValidTo" > now()
ORDER BY uses DESC;

SELECT cc."Code" AS code, cc."order", SUM(o.total * cc."PercentOff" / 100) AS "Given Away"
FROM orders AS o
JOIN "CouponCodes" AS cc ON cc."Id" = o.coupon_id
GROUP BY cc."Id"
HAVING COUNT(*) > coalesce(cc."MaxUses", 0) / 2
ORDER BY "Given Away" DESC;

SELECT format('%s/%s', lpad(m.month::text, 2, '0'), m.year) AS period, m.days, m.holidays
FROM (
    SELECT year, month, count(*) AS days, count(*) FILTER (WHERE is_holiday) AS holidays
    FROM analytics.calendar
    GROUP BY year, month
) AS m
ORDER BY m.year, m.month;

SELECT kind, count(*) AS hits, count(DISTINCT session_id) AS sessions, avg(duration_ms)::int AS ms
FROM analytics.page_events
WHERE occurred_at >= now() - INTERVAL '24' HOUR
GROUP BY kind;

SELECT c.name, coalesce(sum(s.revenue), 0) AS revenue
FROM categories c
LEFT JOIN products p ON p.category_id = c.id
LEFT JOIN analytics.daily_sales s ON s.product_id = p.id AND s.day >= CURRENT_DATE - INTERVAL '30 days'
WHERE c.parent_id IS NULL
GROUP BY c.id, c.name
ORDER BY revenue DESC, name;

SELECT t.priority,
       count(*) AS total,
       count(*) FILTER (WHERE t.closed_at IS NULL) AS open,
       avg(t.closed_at - t.opened_at) FILTER (WHERE t.closed_at IS NOT NULL) AS mean_time,
       count(*) FILTER (WHERE coalesce(t.closed_at, now()) > t.opened_at + t.sla) AS breached
FROM crm.tickets t
GROUP BY t.priority
ORDER BY t.priority;

SELECT owner, count(*) AS tickets, max(age) AS oldest FROM crm.open_tickets GROUP BY owner ORDER BY oldest DESC;

SELECT s.country || '/' || s.channel AS segment, sum(s.revenue) AS revenue
FROM analytics.daily_sales AS s
GROUP BY s.country || '/' || s.channel
ORDER BY revenue DESC;

SELECT GREATEST(max(p.created_at), max(p.updated_at)) AS last_touched, LEAST(min(p.list_price), 100) AS floor
FROM products p;

SELECT l.order_id,
       sum(l.amount) AS lines_total,
       o.total,
       sum(l.amount) - o.total AS difference
FROM orders o, order_lines l
WHERE o.id = l.order_id AND o.status = 'placed'
GROUP BY l.order_id, o.total
HAVING abs(sum(l.amount) - o.total) > 0.01;

SELECT a.city, count(DISTINCT a.customer_id) AS inhabitants
FROM addresses a
WHERE a.kind = 'shipping' AND a.is_default IS TRUE AND a.postal_code LIKE '1%'
GROUP BY a.city
HAVING count(DISTINCT a.customer_id) >= ALL (SELECT count(*) FROM addresses b WHERE b.postal_code LIKE '1%' GROUP BY b.city);

SELECT sku, name, list_price,
       CASE
         WHEN list_price < 10 THEN 'budget'
         WHEN list_price < 100 THEN 'standard'
         WHEN list_price IS NULL THEN 'unknown'
         ELSE 'premium'
       END AS price_band
FROM products
WHERE launched_on IS NOT DISTINCT FROM NULL OR launched_on <= current_date
ORDER BY price_band, list_price DESC;

SELECT DISTINCT ON (o.customer_id) o.customer_id, o.id, o.placed_at, o.total
FROM orders o
WHERE o.status = 'delivered'
ORDER BY o.customer_id, o.placed_at DESC, o.id;

SELECT v.product_id, count(*) AS variants, avg(v.weight_g)::numeric(10,1) AS weight, every(v.barcode IS NOT NULL) AS complete
FROM variants v GROUP BY v.product_id ORDER BY 3 DESC NULLS LAST LIMIT ALL OFFSET 0;

WITH cohort AS (
    SELECT customer_id, date_trunc('month', min(placed_at)) AS cohort_month
    FROM orders
    WHERE placed_at IS NOT NULL
    GROUP BY customer_id
)
SELECT c.cohort_month::date AS cohort,
       (extract(year FROM age(o.placed_at, c.cohort_month)) * 12 + extract(month FROM age(o.placed_at, c.cohort_month)))::int AS month_no,
       count(DISTINCT o.customer_id) AS active
FROM cohort c
JOIN orders o ON o.customer_id = c.customer_id
GROUP BY cohort, month_no
ORDER BY cohort, month_no;

SELECT sum(x.revenue) FILTER (WHERE x.year = 2023) AS "2023", sum(x.revenue) FILTER (WHERE x.year = 2024) AS "2024", x.month
FROM (SELECT c.year, c.month, s.revenue FROM analytics.daily_sales s NATURAL JOIN analytics.calendar c) x
GROUP BY x.month ORDER BY x.month;

SELECT upper(left(co.full_name, 1)) AS initial, count(*), array_agg(DISTINCT co."jobTitle") AS titles
FROM crm.contacts co
GROUP BY initial
ORDER BY upper(left(co.full_name, 1)) COLLATE "C";

SELECT a.day, a.revenue, b.revenue AS revenue_last_year, a.revenue / nullif(b.revenue, 0) - 1 AS growth
FROM (SELECT day, sum(revenue) revenue FROM analytics.daily_sales GROUP BY day) a
LEFT JOIN (SELECT day, sum(revenue) revenue FROM analytics.daily_sales GROUP BY day) b
       ON b.day = (a.day - interval '1 year')::date
ORDER BY a.day DESC;

SELECT GROUPING(w.country) AS g, w.country, m.reason, sum(m.quantity) AS net
FROM stock_movements m
JOIN warehouses w ON w.code = m.warehouse_code
WHERE m.moved_at >= date_trunc('day', localtimestamp)
GROUP BY m.reason, ROLLUP (w.country)
ORDER BY m.reason, g;

SELECT p.supplier_id, p.category_id, count(*)
FROM products p
GROUP BY DISTINCT ROLLUP (p.supplier_id, p.category_id), ROLLUP (p.supplier_id, p.discontinued);

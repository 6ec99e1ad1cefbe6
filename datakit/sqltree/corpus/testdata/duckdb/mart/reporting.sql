FROM mart.monthly_sales;

SELECT month,
    sum(revenue) AS turnover,
    sum(profit) AS gain,
    gain / turnover AS margin
FROM mart.monthly_sales
GROUP BY month
ORDER BY month;

SELECT d.year, d.quarter, s.country, sum(o.net_amount) AS net
FROM mart.fct_orders AS o
JOIN mart.dim_date AS d ON d.date_key = o.date_key
JOIN mart.dim_store AS s ON s.store_key = o.store_key
WHERE o.status IN ('completed', 'shipped')
GROUP BY d.year, d.quarter, s.country
HAVING net > 0
ORDER BY d.year, d.quarter, net DESC;

SELECT d.year, p.category, sum(l.qty) AS units, grouping(d.year) AS gy, GROUPING(p.category) AS gc
FROM mart.fct_order_lines l
JOIN mart.fct_orders USING (order_key)
JOIN mart.dim_date d USING (date_key)
JOIN mart.dim_product p USING (product_key)
GROUP BY CUBE (d.year, p.category)
ORDER BY ALL;

select store_name, count(*) orders, round(avg(net_amount), 2) aov
from mart.fct_orders
natural join mart.dim_store
group by store_name
order by aov desc
limit 10;

SELECT country_name, region, count(DISTINCT customer_id) AS customers
FROM mart.dim_customer
LEFT JOIN country_codes ON iso2 = country
WHERE is_current
GROUP BY ALL
ORDER BY customers DESC, country_name;

SELECT coalesce(region, '(all)') AS region, coalesce(country_name, '(all)') AS country, count(*)
FROM country_codes JOIN mart.dim_store ON dim_store.country = country_codes.iso2
GROUP BY ROLLUP (region, country_name);

SELECT p.category,
       sum(l.qty * l.unit_price) FILTER (WHERE d.is_weekend) AS weekend,
       sum(l.qty * l.unit_price) FILTER (WHERE NOT d.is_weekend) AS weekday,
       weekend / (weekend + weekday) AS weekend_share
FROM mart.fct_order_lines l
JOIN mart.fct_orders o ON o.order_key = l.order_key
JOIN mart.dim_date d ON d.date_key = o.date_key
JOIN mart.dim_product p ON p.product_key = l.product_key
GROUP BY p.category;

SELECT category, arg_max(store_code, revenue) AS best_store, max(revenue) AS best, list(store_code ORDER BY revenue DESC)[:3] AS top3
FROM mart.monthly_sales
WHERE month = date_trunc('month', current_date - INTERVAL 1 MONTH)
GROUP BY category;

WITH rfm AS (
    SELECT
        c.customer_key,
        date_diff('day', max(o.ordered_at), now()::TIMESTAMP) AS recency,
        count(*) AS frequency,
        sum(o.net_amount) AS monetary
    FROM mart.current_customers c
    JOIN mart.fct_orders o USING (customer_key)
    GROUP BY c.customer_key
), scored AS (
    SELECT *, ntile(5) OVER (ORDER BY recency DESC) AS r, ntile(5) OVER (ORDER BY frequency) AS f, ntile(5) OVER (ORDER BY monetary) AS m
    FROM rfm
)
SELECT r || '' || f || m AS cell, count(*) AS customers, avg(monetary) AS avg_value
FROM scored
GROUP BY cell
ORDER BY cell DESC;

WITH firsts AS (
    SELECT customer_key, min(date_trunc('month', ordered_at)) AS cohort FROM mart.fct_orders GROUP BY 1
)
SELECT cohort, date_diff('month', cohort, date_trunc('month', o.ordered_at)) AS month_no, count(DISTINCT o.customer_key) AS active
FROM mart.fct_orders o JOIN firsts f USING (customer_key)
GROUP BY cohort, month_no
ORDER BY cohort, month_no;

SELECT 100.0 * count(*) FILTER (status = 'returned') / count(*) AS return_rate, promotion_key
FROM mart.fct_orders
GROUP BY promotion_key;

SELECT pr.kind, pr.coupon, count(o.order_key) AS uses, sum(o.discount_amount) AS given, min(o.ordered_at)::DATE AS first_use
FROM mart.dim_promotion pr
LEFT JOIN mart.fct_orders o ON o.promotion_key = pr.promotion_key
GROUP BY pr.promotion_key, pr.kind, pr.coupon
ORDER BY given DESC NULLS LAST;

SELECT "Cost Center",
    "Fiscal Year",
    "Q1" + "Q2" + "Q3" + "Q4" AS "Total"
FROM "Budget Plan"
WHERE "Owner" IS NOT NULL
ORDER BY "Total" DESC;

SELECT b."Cost Center" AS center, b."Q1", s.revenue AS actual, s.revenue - b."Q1" AS "Δ"
FROM "Budget Plan" b
LEFT JOIN (SELECT store_code, sum(revenue) AS revenue FROM mart.sales WHERE quarter(sale_date) = 1 GROUP BY store_code) s ON s.store_code = b."Cost Center";

SELECT i.store_key, st.store_name, p.sku, i.on_hand, i.reorder_point
FROM mart.fct_inventory i
JOIN mart.dim_store st USING (store_key)
JOIN mart.dim_product p USING (product_key)
WHERE i.date_key = (SELECT max(date_key) FROM mart.fct_inventory) AND i.on_hand + i.on_order < i.reorder_point
ORDER BY st.store_name, p.sku;

SELECT s.store_name, s.hours.open, s.hours.close, date_part('hour', s.hours.close) - date_part('hour', s.hours.open) AS open_hours FROM mart.dim_store s;

SELECT dim_store.hours.open FROM mart.dim_store WHERE hours.close > TIME '20:00';

SELECT mart.dim_store.store_name, mart.dim_store.hours.close FROM mart.dim_store;

SELECT method, approx_quantile(amount, [0.25, 0.5, 0.75]) AS quartiles, sum(amount)
FROM mart.fct_payments
GROUP BY method;

SELECT d.day_name,
    avg(n) AS avg_orders
FROM (SELECT date_key, count(*) AS n FROM mart.fct_orders GROUP BY date_key) x
JOIN mart.dim_date d USING (date_key)
GROUP BY d.day_name, isodow(d.full_date)
ORDER BY isodow(d.full_date);

SELECT landing_page, count(*) AS sessions, count(*) FILTER (WHERE converted) AS orders, avg(len(pages)) AS depth, orders / sessions AS cr
FROM mart.fct_web_sessions
GROUP BY landing_page
HAVING sessions >= 100
ORDER BY cr DESC;

SELECT page,
    count(*)
FROM (SELECT unnest(pages) AS page FROM mart.fct_web_sessions)
GROUP BY page
ORDER BY count(*) DESC
LIMIT 20;

SELECT list_zip(pages, pages[2:]) AS hops,
    session_id
FROM mart.fct_web_sessions
WHERE len(pages) > 1;

SELECT hop.a AS src, hop.b AS dst, count(*) AS n
FROM (SELECT unnest([{'a': pages[i], 'b': pages[i + 1]} for i in range(1, len(pages))]) AS hop FROM mart.fct_web_sessions)
GROUP BY ALL
ORDER BY n DESC;

SELECT ws.referrer,
    sum(o.net_amount) AS revenue
FROM mart.fct_web_sessions ws
LEFT JOIN mart.fct_orders o USING (order_key)
GROUP BY ws.referrer;

SELECT string_agg(DISTINCT b.segment, ',' ORDER BY b.segment) AS segments, c.full_name
FROM mart.bridge_customer_segment b JOIN mart.current_customers c USING (customer_key)
GROUP BY c.full_name;

SELECT b.segment, sum(o.net_amount * b.weight) AS weighted FROM mart.bridge_customer_segment b JOIN mart.fct_orders o ON o.customer_key = b.customer_key WHERE b.assigned_on <= o.ordered_at::DATE GROUP BY b.segment;

SELECT period: d.fiscal_period, revenue: sum(s.revenue), stores: count(DISTINCT s.store_code)
FROM mart.sales s JOIN mart.dim_date d ON d.full_date = s.sale_date
GROUP BY period;

SELECT extract(hour FROM ordered_at) AS hour, histogram(status) AS statuses
FROM mart.fct_orders
GROUP BY hour
ORDER BY hour;

SELECT sum(net_amount) AS net,
    sum(gross_amount) AS gross,
    gross - net AS given
FROM mart.fct_orders
WHERE ordered_at >= DATE '2024-01-01'
  AND ordered_at < DATE '2025-01-01';

SELECT avg(shipped_at - ordered_at) AS mean_wait, max(shipped_at - ordered_at) AS worst, median(epoch(shipped_at - ordered_at)) / 3600 AS median_hours
FROM mart.fct_orders
WHERE shipped_at IS NOT NULL;

SELECT a.sku AS left_sku, b.sku AS right_sku, count(*) AS together
FROM mart.fct_order_lines x
JOIN mart.fct_order_lines y ON x.order_key = y.order_key AND x.product_key < y.product_key
JOIN mart.dim_product a ON a.product_key = x.product_key
JOIN mart.dim_product b ON b.product_key = y.product_key
GROUP BY 1, 2
HAVING together > 5
ORDER BY together DESC;

SELECT c.full_name
FROM mart.current_customers c
SEMI JOIN mart.fct_orders o ON o.customer_key = c.customer_key
  AND o.net_amount > 500;

SELECT product_name
FROM mart.dim_product
ANTI JOIN mart.fct_order_lines USING (product_key)
WHERE discontinued_on IS NULL;

SELECT s.store_code,
    x.*
FROM mart.dim_store s
CROSS JOIN LATERAL (SELECT category, sum(revenue) AS rev FROM mart.sales m WHERE m.store_code = s.store_code GROUP BY category ORDER BY rev DESC LIMIT 2) x;

SELECT s.store_name,
    m.store_name AS manager
FROM mart.dim_store s
LEFT JOIN mart.dim_store m ON m.store_key = s.manager_key;

SELECT d.full_date, s.store_code, coalesce(sum(x.revenue), 0) AS revenue
FROM mart.dim_date d
CROSS JOIN mart.dim_store s
LEFT JOIN mart.sales x ON x.sale_date = d.full_date AND x.store_code = s.store_code
WHERE d.year = 2024
GROUP BY d.full_date, s.store_code;

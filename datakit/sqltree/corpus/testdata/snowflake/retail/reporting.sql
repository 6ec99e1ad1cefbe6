SELECT DATE_TRUNC('month', ordered_at) AS month, channel, COUNT(*) AS orders, SUM(total_amount) AS gross
FROM orders
WHERE ordered_at >= DATEADD(month, -12, CURRENT_DATE())
GROUP BY ALL
ORDER BY month, gross DESC;

SELECT TOP 20 p.sku, p.product_name, SUM(i.quantity) AS units
FROM order_items i JOIN products p ON p.product_id = i.product_id
GROUP BY p.sku, p.product_name
ORDER BY units DESC NULLS LAST;

select
    st.store_code
  , st.store_name
  , count(distinct o.customer_id)                       as buyers
  , count_if(o.channel = 'web')                         as web_orders
  , sum(iff(o.status = 'returned', o.total_amount, 0))  as returned_value
  , div0(sum(o.discount_amount), sum(o.total_amount))   as discount_share
from stores st
left join orders o
       on o.store_id = st.store_id
      and o.ordered_at between '2026-01-01' and '2026-03-31'
where st.closed_on is null
group by 1, 2
having count(o.order_id) > 0
order by returned_value desc;

-- lateral aliases: each column builds on the ones before
SELECT
    order_id,
    total_amount - NVL(discount_amount, 0) AS net,
    net * 0.19 AS vat,
    net + vat AS gross_with_vat
FROM orders
WHERE net > 100 AND vat < 500
ORDER BY gross_with_vat;

SELECT r.region_name, YEAR(o.ordered_at) AS yr, QUARTER(o.ordered_at) AS qtr, SUM(o.total_amount) AS revenue,
       GROUPING(r.region_name) AS is_total
FROM orders o, stores s, regions r
WHERE o.store_id = s.store_id AND s.region_id = r.region_id
GROUP BY ROLLUP (r.region_name, YEAR(o.ordered_at), QUARTER(o.ordered_at))
ORDER BY is_total, 1, 2, 3;

SELECT channel, status, currency, COUNT(*) AS n, GROUPING_ID(channel, status, currency) AS gid
FROM orders
GROUP BY GROUPING SETS ((channel), (status, currency), ())
ORDER BY gid;

SELECT segment, country_code, COUNT(*) FROM customers GROUP BY CUBE (segment, country_code) HAVING COUNT(*) >= 10;

SELECT
	CASE
		WHEN DATEDIFF('year', birth_date, CURRENT_DATE) < 25 THEN 'under 25'
		WHEN DATEDIFF('year', birth_date, CURRENT_DATE) BETWEEN 25 AND 44 THEN '25-44'
		WHEN birth_date IS NULL THEN 'unknown'
		ELSE '45+'
	END AS age_band,
	COUNT(*) AS people,
	AVG(v.lifetime_value)::NUMBER(12,2) AS avg_value
FROM customers c
JOIN v_customer_value v USING (customer_id)
GROUP BY age_band
ORDER BY people DESC;

SELECT DAYNAME(ordered_at) AS dow, HOUR(ordered_at) AS hr, COUNT(*) AS cnt FROM orders WHERE store_id = 12 GROUP BY dow, hr ORDER BY MAX(DAYOFWEEKISO(ordered_at)), hr;

SELECT
    s.store_name,
    t.fiscal_year,
    t.q1 + t.q2 + t.q3 + t.q4 AS target,
    SUM(d.revenue) AS actual,
    ROUND(actual / NULLIF(target, 0) * 100, 1) AS pct
FROM sales_targets t
JOIN stores s ON s.store_id = t.store_id
LEFT JOIN daily_sales d ON d.store_id = t.store_id AND YEAR(d.sales_date) = t.fiscal_year
GROUP BY s.store_name, t.fiscal_year, target
ORDER BY pct DESC;

SELECT MEDIAN(total_amount) AS med,
       PERCENTILE_CONT(0.95) WITHIN GROUP (ORDER BY total_amount) AS p95,
       APPROX_PERCENTILE(total_amount, 0.5) AS approx_med,
       APPROX_COUNT_DISTINCT(customer_id) AS customers,
       MODE(channel) AS usual_channel
FROM orders
WHERE status IN ('paid', 'shipped', 'done');

SELECT LISTAGG(DISTINCT method, ', ') WITHIN GROUP (ORDER BY method) AS methods, order_id
FROM payments
WHERE status = 'captured'
GROUP BY order_id
HAVING COUNT(DISTINCT method) > 1;

SELECT c.category_name, MAX_BY(p.product_name, p.list_price) AS dearest, MIN_BY(p.product_name, p.list_price) AS cheapest
FROM categories c INNER JOIN products p ON c.category_id = p.category_id
WHERE p.discontinued_at IS NULL
GROUP BY c.category_name;

SELECT store_id, month, revenue, revenue - LAG(revenue) OVER (PARTITION BY store_id ORDER BY month) AS delta
FROM v_store_revenue
WHERE region_name ILIKE ANY ('%north%', '%nord%')
ORDER BY ALL;

select count(*) as total, count(shipped_at) as shipped, total - shipped as waiting from orders where status not in ('cancelled', 'done');

SELECT TO_CHAR(returned_at, 'YYYY-MM') AS period,
       INITCAP(reason) AS why,
       SUM(refund_amount) AS refunds,
       RATIO_TO_REPORT(SUM(refund_amount)) OVER (PARTITION BY TO_CHAR(returned_at, 'YYYY-MM')) AS share
FROM returns
GROUP BY period, why
QUALIFY share > 0.1;

SELECT o.order_id, o.ordered_at, DATEDIFF(hour, o.ordered_at, o.shipped_at) AS hours_to_ship
FROM orders AS o
WHERE o.shipped_at IS NOT NULL
  AND hours_to_ship > 72
ORDER BY hours_to_ship DESC
LIMIT 100 OFFSET 200;

SELECT 'customers' AS what, COUNT(*) AS row_count FROM customers
UNION ALL
SELECT 'orders', COUNT(*) FROM orders
UNION ALL
SELECT 'products', COUNT(*) FROM products
ORDER BY row_count DESC;

SELECT WIDTH_BUCKET(total_amount, 0, 1000, 20) AS bucket, COUNT(*) AS freq, MIN(total_amount) AS lo, MAX(total_amount) AS hi
FROM orders GROUP BY bucket ORDER BY bucket;

SELECT e.full_name, e.job_title, COUNT(o.order_id) AS sold, ZEROIFNULL(SUM(o.total_amount)) AS turnover
FROM employees e
LEFT OUTER JOIN orders o ON o.employee_id = e.employee_id AND o.status <> 'cancelled'
WHERE e.left_on IS NULL
GROUP BY e.employee_id, e.full_name, e.job_title
ORDER BY turnover DESC, e.full_name
FETCH FIRST 10 ROWS ONLY;

SELECT CORR(unit_price, quantity) AS price_elasticity, REGR_SLOPE(quantity, unit_price) AS slope, STDDEV(unit_price) AS spread
FROM order_items
WHERE product_id = 4711;

WITH last_90 AS (
  SELECT sales_date, SUM(revenue) AS revenue
  FROM daily_sales
  WHERE sales_date > CURRENT_DATE - 90
  GROUP BY sales_date
)
SELECT sales_date, revenue,
       AVG(revenue) OVER (ORDER BY sales_date ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS rolling_week
FROM last_90
ORDER BY sales_date;

SELECT p.promo_code, p.description, COUNT(o.order_id) AS uses, SUM(o.discount_amount) AS given
FROM promotions p
LEFT JOIN orders o
  ON o.promo_code = p.promo_code
 AND o.ordered_at::DATE BETWEEN p.starts_on AND NVL(p.ends_on, '9999-12-31'::DATE)
GROUP BY p.promo_code, p.description
ORDER BY uses DESC;

SELECT BOOLOR_AGG(quantity > 10) AS any_bulk, BOOLAND_AGG(discount_pct IS NULL) AS all_full_price, order_id
FROM order_items GROUP BY order_id;


SELECT month, store_code, revenue,
       revenue - lag(revenue) OVER by_store AS mom,
       sum(revenue) OVER (by_store ROWS UNBOUNDED PRECEDING) AS running,
       avg(revenue) OVER (by_store ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS ma3
FROM (SELECT month, store_code, sum(revenue) AS revenue FROM mart.monthly_sales GROUP BY ALL)
WINDOW by_store AS (PARTITION BY store_code ORDER BY month);

SELECT order_key,
    customer_key,
    row_number() OVER (PARTITION BY customer_key ORDER BY ordered_at) AS nth_order
FROM mart.fct_orders
QUALIFY nth_order = 2;

SELECT category, product_name, revenue, revenue / sum(revenue) OVER (PARTITION BY category) AS share
FROM (
    SELECT p.category, p.product_name, sum(l.qty * l.unit_price) AS revenue
    FROM mart.fct_order_lines l JOIN mart.dim_product p USING (product_key)
    GROUP BY p.category, p.product_name
) t
QUALIFY dense_rank() OVER (PARTITION BY category ORDER BY revenue DESC) <= 5
ORDER BY category, revenue DESC;

SELECT product_key, date_key, on_hand, last_value(on_hand IGNORE NULLS) OVER (PARTITION BY store_key, product_key ORDER BY date_key ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS filled
FROM mart.fct_inventory;

SELECT customer_key, ordered_at, ordered_at - lag(ordered_at) OVER w AS since_last, count(*) FILTER (WHERE status = 'returned') OVER w AS returns_so_far
FROM mart.fct_orders
WINDOW w AS (PARTITION BY customer_key ORDER BY ordered_at);

SELECT sale_date, sum(revenue) AS day_revenue, sum(sum(revenue)) OVER (ORDER BY sale_date RANGE BETWEEN INTERVAL 6 DAYS PRECEDING AND CURRENT ROW) AS week_revenue
FROM mart.sales
GROUP BY sale_date
ORDER BY sale_date;

with ranked as (
  select *, percent_rank() over (order by net_amount) as pr from mart.fct_orders
)
select status, count(*) filter (pr > 0.9) as big from ranked group by status;

SELECT store_key, order_key, gross_amount, max(gross_amount) OVER (PARTITION BY store_key) - gross_amount AS below_best, first_value(order_key) OVER (PARTITION BY store_key ORDER BY gross_amount DESC) AS best
FROM mart.fct_orders;

SELECT customer_id, email, valid_from
FROM mart.dim_customer
QUALIFY email IS DISTINCT FROM lag(email) OVER (PARTITION BY customer_id ORDER BY valid_from);

SELECT month, category, rank() OVER (PARTITION BY month ORDER BY sum(profit) DESC) AS place, sum(profit) AS profit
FROM mart.monthly_sales
GROUP BY month, category
QUALIFY place = 1;

SELECT rate_date, currency, rate_to_eur, rate_to_eur / first_value(rate_to_eur) OVER (PARTITION BY currency, year(rate_date) ORDER BY rate_date) - 1 AS ytd
FROM exchange_rates;

SELECT model,
    started_at,
    finished_at,
    max(finished_at) OVER (ORDER BY started_at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) > started_at AS parallel
FROM run_log;

WITH flagged AS (
    SELECT session_id, customer_key, started_at,
           coalesce(started_at - lag(started_at) OVER (PARTITION BY customer_key ORDER BY started_at) > INTERVAL 7 DAY, true) AS is_new
    FROM mart.fct_web_sessions
)
SELECT customer_key, sum(is_new::INT) OVER (PARTITION BY customer_key ORDER BY started_at) AS visit_group, session_id FROM flagged;

SELECT order_key, line_no, qty, sum(qty) OVER (PARTITION BY order_key ORDER BY line_no ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS remaining
FROM mart.fct_order_lines;

SELECT store_code, sale_date, quantity, avg(quantity) OVER (PARTITION BY store_code ORDER BY sale_date ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING EXCLUDE GROUP) AS around
FROM mart.sales;

SELECT o.customer_key, o.order_key, sum(o.net_amount) OVER lifetime AS ltv, ntile(10) OVER (ORDER BY o.net_amount) AS decile
FROM mart.fct_orders o
JOIN mart.current_customers USING (customer_key)
WINDOW lifetime AS (PARTITION BY o.customer_key ORDER BY o.ordered_at, o.order_key)
QUALIFY ltv > 1_000;

SELECT DISTINCT store_key, median(net_amount) OVER (PARTITION BY store_key) AS med, mode(status) OVER (PARTITION BY store_key) AS usual FROM mart.fct_orders;

SELECT method, amount, cume_dist() OVER (PARTITION BY method ORDER BY amount) AS cd
FROM mart.fct_payments
QUALIFY cd BETWEEN 0.45 AND 0.55;

SELECT payment_id, nth_value(amount, 2 ORDER BY amount DESC) OVER (PARTITION BY order_key ORDER BY payment_id) AS second_largest
FROM mart.fct_payments;

WITH m AS (SELECT month, sum(revenue) AS revenue FROM mart.monthly_sales GROUP BY month)
SELECT cur.month, cur.revenue, prev.revenue AS last_year, cur.revenue / prev.revenue - 1 AS growth
FROM m AS cur LEFT JOIN m AS prev ON prev.month = cur.month - INTERVAL 1 YEAR
ORDER BY cur.month;

SELECT *,
    revenue > avg(revenue) OVER (PARTITION BY category) AS above_mean
FROM mart.monthly_sales
WHERE category IS NOT NULL;

SELECT c.segment, c.customer_key, lead(c.segment, 1, 'none') OVER (PARTITION BY c.customer_id ORDER BY c.valid_from) AS next_segment FROM mart.dim_customer c WHERE c.segment <> '';

SELECT arg_max(full_name, valid_from) OVER (PARTITION BY customer_id) AS latest_name, customer_key FROM mart.dim_customer;

SELECT product_key,
    list(unit_price ORDER BY order_key) OVER (PARTITION BY product_key) AS price_history,
    any_value(unit_price) OVER (PARTITION BY product_key ORDER BY order_key)
FROM mart.fct_order_lines;

SELECT sku,
    list_price,
    list_price - avg(list_price) OVER (PARTITION BY brand) AS vs_brand,
    row_number() OVER () AS n
FROM mart.dim_product
ORDER BY vs_brand;

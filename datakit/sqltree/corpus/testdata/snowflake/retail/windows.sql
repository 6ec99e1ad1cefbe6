SELECT customer_id, order_id, total_amount,
       ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY ordered_at DESC) AS rn
FROM orders
QUALIFY rn = 1;

SELECT customer_id, ordered_at,
       DATEDIFF(day, LAG(ordered_at) OVER (PARTITION BY customer_id ORDER BY ordered_at), ordered_at) AS days_since_last,
       SUM(total_amount) OVER (PARTITION BY customer_id ORDER BY ordered_at ROWS UNBOUNDED PRECEDING) AS running_total
FROM orders;

SELECT store_id, sales_date, revenue,
       SUM(revenue) OVER (PARTITION BY store_id ORDER BY sales_date RANGE BETWEEN INTERVAL '7 days' PRECEDING AND CURRENT ROW) AS week_sum
FROM daily_sales;

SELECT * FROM products QUALIFY DENSE_RANK() OVER (PARTITION BY category_id ORDER BY list_price DESC) <= 3;

SELECT product_id, valid_from, price,
       FIRST_VALUE(price) OVER (PARTITION BY product_id ORDER BY valid_from) AS launch_price,
       LAST_VALUE(price) IGNORE NULLS OVER (PARTITION BY product_id ORDER BY valid_from ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS latest,
       NTH_VALUE(price, 2) FROM FIRST OVER (PARTITION BY product_id ORDER BY valid_from) AS second_price,
       LEAD(valid_from, 1, CURRENT_TIMESTAMP()::TIMESTAMP_NTZ) OVER (PARTITION BY product_id ORDER BY valid_from) AS next_from
FROM price_history;

SELECT session_id, event_ts, event_type,
       CONDITIONAL_TRUE_EVENT(event_type = 'login') OVER (PARTITION BY session_id ORDER BY event_ts) AS login_no,
       CONDITIONAL_CHANGE_EVENT(page_url) OVER (PARTITION BY session_id ORDER BY event_ts) AS page_no
FROM raw.clickstream;

WITH gaps AS (
    SELECT customer_id, event_ts,
           IFF(DATEDIFF('minute', LAG(event_ts) OVER (PARTITION BY customer_id ORDER BY event_ts), event_ts) > 30, 1, 0) AS is_new
    FROM raw.clickstream
    WHERE customer_id IS NOT NULL
), numbered AS (
    SELECT customer_id, event_ts, SUM(is_new) OVER (PARTITION BY customer_id ORDER BY event_ts) AS visit_no
    FROM gaps
)
SELECT customer_id, visit_no, MIN(event_ts) AS started, MAX(event_ts) AS ended, COUNT(*) AS hits
FROM numbered
GROUP BY customer_id, visit_no;

SELECT employee_id, store_id, salary,
       NTILE(4) OVER (ORDER BY salary) AS quartile,
       PERCENT_RANK() OVER (PARTITION BY store_id ORDER BY salary) AS pr,
       CUME_DIST() OVER (PARTITION BY store_id ORDER BY salary) AS cd,
       salary / AVG(salary) OVER (PARTITION BY store_id) AS vs_store
FROM employees
WHERE left_on IS NULL
QUALIFY pr > 0.9 OR cd < 0.1;

SELECT category_id, SUM(list_price) AS total, RANK() OVER (ORDER BY SUM(list_price) DESC) AS place
FROM products
GROUP BY category_id
QUALIFY place <= 5
ORDER BY place;

select store_id, product_id, on_hand
from inventory
qualify row_number() over (partition by store_id, product_id order by counted_at desc nulls last) = 1;

SELECT s.store_name, d.sales_date, d.revenue,
  AVG(d.revenue) OVER (PARTITION BY d.store_id ORDER BY d.sales_date ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING) AS smooth,
  COUNT(*) OVER () AS all_rows,
  MAX(d.revenue) OVER (PARTITION BY DATE_TRUNC(month, d.sales_date), d.store_id) AS month_peak
FROM daily_sales d JOIN stores s ON s.store_id = d.store_id
WHERE d.sales_date BETWEEN '2026-01-01' AND '2026-06-30';

SELECT order_id, line_no, ARRAY_AGG(product_id) OVER (PARTITION BY order_id) AS basket,
       LISTAGG(product_id, '|') WITHIN GROUP (ORDER BY line_no) OVER (PARTITION BY order_id) AS basket_text
FROM order_items;

SELECT
  order_id,
  paid_at,
  amount,
  SUM(amount) OVER (PARTITION BY order_id ORDER BY paid_at, payment_id) AS paid_so_far,
  paid_so_far >= MAX(total_amount) OVER (PARTITION BY order_id) AS settled
FROM payments JOIN orders USING (order_id);

SELECT * FROM price_history
MATCH_RECOGNIZE (
    PARTITION BY product_id
    ORDER BY valid_from
    MEASURES
        MATCH_NUMBER() AS match_no,
        FIRST(drop_row.valid_from) AS fall_starts,
        LAST(rise_row.valid_from) AS rise_ends,
        COUNT(drop_row.*) AS falls,
        FINAL LAST(price) AS end_price
    ONE ROW PER MATCH
    AFTER MATCH SKIP PAST LAST ROW
    PATTERN (drop_row+ rise_row+)
    DEFINE
        drop_row AS price < LAG(price),
        rise_row AS price > LAG(price)
)
ORDER BY product_id, match_no;

SELECT funnel.session_id, funnel.first_view, funnel.bought_at
FROM raw.clickstream MATCH_RECOGNIZE (
  PARTITION BY session_id
  ORDER BY event_ts
  MEASURES FIRST(viewed.event_ts) AS first_view, LAST(bought.event_ts) AS bought_at, CLASSIFIER() AS last_symbol
  PATTERN (viewed added* bought)
  DEFINE viewed AS event_type = 'view', added AS event_type = 'add_to_cart', bought AS event_type = 'purchase'
) AS funnel
WHERE DATEDIFF(second, funnel.first_view, funnel.bought_at) < 600;

SELECT store_id, sales_date, revenue, cls
FROM daily_sales
MATCH_RECOGNIZE (
  PARTITION BY store_id ORDER BY sales_date
  MEASURES CLASSIFIER() AS cls
  ALL ROWS PER MATCH SHOW EMPTY MATCHES
  AFTER MATCH SKIP TO NEXT ROW
  PATTERN (^ base up{2,4} $)
  DEFINE up AS revenue > 1.1 * LAG(revenue)
);

SELECT customer_id, order_id,
       COUNT(DISTINCT channel) OVER (PARTITION BY customer_id) AS channels_used,
       BITOR_AGG(IFF(channel = 'web', 1, 2)) OVER (PARTITION BY customer_id) AS channel_mask
FROM orders
QUALIFY channels_used > 1 AND COUNT(*) OVER (PARTITION BY customer_id) > 5;

SELECT "customerId", "pointsBalance", SUM("pointsBalance") OVER (PARTITION BY "Tier" ORDER BY "joinedAt") AS "runningPoints" FROM "LoyaltyAccounts" QUALIFY "runningPoints" <= 100000;

SELECT o.store_id, DATE_TRUNC('week', o.ordered_at)::DATE AS week_start, SUM(o.total_amount) AS rev,
       SUM(SUM(o.total_amount)) OVER (PARTITION BY o.store_id ORDER BY DATE_TRUNC('week', o.ordered_at)::DATE) AS cumulative,
       LAG(rev, 52) OVER (PARTITION BY o.store_id ORDER BY week_start) AS last_year
FROM orders o
GROUP BY o.store_id, week_start;


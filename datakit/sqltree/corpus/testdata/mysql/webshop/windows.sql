SELECT id, customer_id, total, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at) AS nth_order FROM orders;

SELECT number, total, RANK() OVER (ORDER BY total DESC) AS r, DENSE_RANK() OVER (ORDER BY total DESC) AS dr FROM orders;

select placed_on, sum(total) as day_total, sum(sum(total)) over (order by placed_on) as running_total from orders group by placed_on;

SELECT o.id, o.total,
       SUM(o.total) OVER w AS running,
       AVG(o.total) OVER w AS mean_so_far,
       COUNT(*) OVER (PARTITION BY o.customer_id) AS orders_of_customer
FROM orders o
WINDOW w AS (PARTITION BY o.customer_id ORDER BY o.placed_at ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW);

SELECT placed_on, revenue, AVG(revenue) OVER (ORDER BY placed_on ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS avg7
FROM (SELECT placed_on, SUM(total) AS revenue FROM orders GROUP BY placed_on) d;

SELECT customer_id, placed_at, LAG(placed_at) OVER (PARTITION BY customer_id ORDER BY placed_at) AS previous,
       DATEDIFF(placed_at, LAG(placed_at) OVER (PARTITION BY customer_id ORDER BY placed_at)) AS gap
FROM orders;

SELECT id, LEAD(status, 2) OVER (ORDER BY id) AS two_later FROM orders;

SELECT p.name, p.price, NTILE(4) OVER (ORDER BY p.price) AS quartile, PERCENT_RANK() OVER (ORDER BY p.price) pr, CUME_DIST() OVER (ORDER BY p.price) cd FROM products p;

SELECT product_id, rating, created_at,
       FIRST_VALUE(rating) OVER (PARTITION BY product_id ORDER BY created_at) AS first_rating,
       LAST_VALUE(rating) OVER (PARTITION BY product_id ORDER BY created_at
                                ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last_rating,
       NTH_VALUE(rating, 2) OVER (PARTITION BY product_id ORDER BY created_at) AS second_rating
FROM reviews;

SELECT *
FROM (
  SELECT i.*, ROW_NUMBER() OVER (PARTITION BY i.order_id ORDER BY i.line_total DESC) AS pos
  FROM order_items i
) ranked
WHERE ranked.pos = 1;

SELECT c.name, SUM(i.line_total) AS revenue, ROUND(100 * SUM(i.line_total) / SUM(SUM(i.line_total)) OVER (), 2) AS pct
FROM order_items i
JOIN product_variants v ON v.id = i.variant_id
JOIN products p ON p.id = v.product_id
JOIN categories c ON c.id = p.category_id
GROUP BY c.id, c.name
ORDER BY pct DESC;

SELECT warehouse_id, variant_id, moved_at, quantity,
       SUM(quantity) OVER stock_line AS balance,
       MIN(quantity) OVER (stock_line ROWS 3 PRECEDING) AS low
FROM stock_moves
WINDOW stock_line AS (PARTITION BY warehouse_id, variant_id ORDER BY moved_at, id);

SELECT id, total, SUM(total) OVER (ORDER BY total RANGE BETWEEN 10 PRECEDING AND 10 FOLLOWING) AS near_total FROM orders;

SELECT visitor, viewed_at, url,
       SUM(new_session) OVER (PARTITION BY visitor ORDER BY viewed_at) AS session_no
FROM (
  SELECT visitor, viewed_at, url,
         CASE WHEN TIMESTAMPDIFF(MINUTE, LAG(viewed_at) OVER (PARTITION BY visitor ORDER BY viewed_at), viewed_at) > 30
              THEN 1 ELSE 0 END AS new_session
  FROM page_views
) v;

WITH m AS (
  SELECT DATE_FORMAT(placed_at, '%Y-%m') AS ym, SUM(total) AS revenue FROM orders GROUP BY ym
)
SELECT ym, revenue, revenue - LAG(revenue, 12) OVER (ORDER BY ym) AS yoy, revenue / LAG(revenue) OVER (ORDER BY ym) - 1 AS mom
FROM m
ORDER BY ym;

SELECT DISTINCT customer_id, FIRST_VALUE(channel) OVER (PARTITION BY customer_id ORDER BY placed_at, id) AS first_channel FROM orders;

SELECT s.country_code, s.name, s.rating,
       s.rating - AVG(s.rating) OVER (PARTITION BY s.country_code) AS vs_country,
       MAX(s.lead_days) OVER (PARTITION BY s.country_code) AS slowest
FROM suppliers s
ORDER BY s.country_code, RANK() OVER (PARTITION BY s.country_code ORDER BY s.rating DESC);

SELECT code, name, vat_rate, COUNT(*) OVER () AS total_rows FROM countries ORDER BY name LIMIT 10 OFFSET 10;

SELECT t.product_id, t.customer_id
FROM (SELECT product_id, customer_id, COUNT(*) OVER (PARTITION BY product_id, customer_id) AS copies FROM reviews) t
WHERE t.copies > 1;

SELECT id, ROW_NUMBER() OVER w1, SUM(amount) OVER w2, RANK() OVER w3
FROM payments
WINDOW w1 AS (ORDER BY created_at), w2 AS (PARTITION BY method), w3 AS (w2 ORDER BY amount DESC);

SELECT customer_id, SUM(total) AS spent, RANK() OVER (ORDER BY SUM(total) DESC) AS spending_rank
FROM orders
WHERE placed_at >= '2024-01-01'
GROUP BY customer_id
HAVING spent > 0
ORDER BY spending_rank, customer_id;

SELECT o.id, o.total, BIT_OR(o.total) OVER (PARTITION BY o.status) AS bits, STDDEV_POP(o.total) OVER (PARTITION BY o.status) AS sd FROM orders o;

SELECT id,
       MAX(price) OVER (PARTITION BY category_id ORDER BY created_at ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING) AS next_three_max,
       MIN(price) OVER (PARTITION BY category_id ORDER BY created_at ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS rest_min
FROM products;

SELECT q.status, q.placed_on, q.cnt
FROM (SELECT status, placed_on, COUNT(*) AS cnt, ROW_NUMBER() OVER (PARTITION BY status ORDER BY COUNT(*) DESC) AS rk
      FROM orders GROUP BY status, placed_on) AS q
WHERE q.rk = 1;

SELECT p.category_id, p.sku, p.price,
       IF(p.price = MAX(p.price) OVER cat, 'dearest', IF(p.price = MIN(p.price) OVER cat, 'cheapest', '')) AS mark
FROM products p
WINDOW cat AS (PARTITION BY p.category_id)
ORDER BY p.category_id, p.price;

/* ABC analysis */
SELECT z.sku, z.revenue, CASE WHEN z.cum <= 0.8 THEN 'A' WHEN z.cum <= 0.95 THEN 'B' ELSE 'C' END AS class
FROM (
  SELECT y.sku, y.revenue, SUM(y.revenue) OVER (ORDER BY y.revenue DESC, y.sku) / SUM(y.revenue) OVER () AS cum
  FROM (
    SELECT v.sku, SUM(i.line_total) AS revenue
    FROM product_variants v
    INNER JOIN order_items i ON i.variant_id = v.id
    GROUP BY v.sku
  ) AS y
) AS z;

SELECT id, LAG(total, 1, 0) OVER (PARTITION BY customer_id ORDER BY id) AS before_total FROM orders;

SELECT placed_on, SUM(SUM(total)) OVER (ORDER BY placed_on RANGE BETWEEN INTERVAL 6 DAY PRECEDING AND CURRENT ROW) AS last_week
FROM orders
GROUP BY placed_on;

SELECT id, FIRST_VALUE(total) RESPECT NULLS OVER (ORDER BY id) AS f, NTH_VALUE(total, 3) FROM FIRST OVER (ORDER BY id) AS third FROM orders;

SELECT customer_id, id, JSON_ARRAYAGG(number) OVER (PARTITION BY customer_id) AS all_numbers,
       JSON_OBJECTAGG(number, total) OVER (PARTITION BY customer_id ORDER BY id) AS totals_so_far
FROM orders;

SELECT variant_id, moved_at,
       AVG(quantity) OVER (PARTITION BY variant_id ORDER BY moved_at RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND INTERVAL 30 MINUTE FOLLOWING) AS around
FROM stock_moves;

SELECT created_at, LEAD(amount, 1, 0.00) OVER w AS next_amount, LEAD(state, 1, 'none') OVER (w ORDER BY created_at DESC) AS earlier_state
FROM payments
WINDOW w AS (PARTITION BY order_id);

SELECT code, SUM(vat_rate) OVER (ORDER BY name ROWS UNBOUNDED PRECEDING) FROM countries;


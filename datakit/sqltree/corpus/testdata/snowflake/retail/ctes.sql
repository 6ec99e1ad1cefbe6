WITH orders AS (
    SELECT * FROM public.orders WHERE status <> 'cancelled'
)
SELECT store_id, COUNT(*) FROM orders GROUP BY store_id;

WITH RECURSIVE tree (category_id, category_name, depth, path) AS (
    SELECT category_id, category_name, 0, category_name
    FROM categories
    WHERE parent_category_id IS NULL
  UNION ALL
    SELECT c.category_id, c.category_name, t.depth + 1, t.path || ' > ' || c.category_name
    FROM categories c
    JOIN tree t ON c.parent_category_id = t.category_id
)
SELECT category_id, REPEAT('  ', depth) || category_name AS label, path
FROM tree
ORDER BY path;

with chain as (
    select employee_id, manager_id, full_name, 1 as lvl from employees where employee_id = 100
    union all
    select e.employee_id, e.manager_id, e.full_name, chain.lvl + 1
    from employees e join chain on e.employee_id = chain.manager_id
)
select lvl, full_name from chain order by lvl;

WITH cohort AS (
    SELECT customer_id, DATE_TRUNC('month', MIN(ordered_at)) AS cohort_month
    FROM orders
    GROUP BY customer_id
),
activity AS (
    SELECT o.customer_id, cohort.cohort_month, DATEDIFF('month', cohort.cohort_month, o.ordered_at) AS month_no
    FROM orders o
    JOIN cohort ON cohort.customer_id = o.customer_id
),
sizes AS (
    SELECT cohort_month, COUNT(*) AS size FROM cohort GROUP BY cohort_month
)
SELECT a.cohort_month, a.month_no, COUNT(DISTINCT a.customer_id) AS active, active / s.size AS retention
FROM activity a
JOIN sizes s USING (cohort_month)
GROUP BY a.cohort_month, a.month_no, s.size
ORDER BY 1, 2;

WITH calendar AS (
    SELECT DATEADD(day, ROW_NUMBER() OVER (ORDER BY NULL) - 1, '2026-01-01')::DATE AS d
    FROM TABLE(GENERATOR(ROWCOUNT => 366))
)
SELECT calendar.d, COALESCE(SUM(ds.revenue), 0) AS revenue
FROM calendar
LEFT JOIN daily_sales ds ON ds.sales_date = calendar.d
GROUP BY calendar.d
ORDER BY calendar.d;

WITH a AS (SELECT product_id, SUM(quantity) q FROM order_items GROUP BY 1),
     b AS (SELECT product_id, SUM(r.quantity) q FROM returns r JOIN order_items oi USING (order_id, line_no) GROUP BY 1)
SELECT a.product_id, b.q / a.q AS return_rate
FROM a LEFT JOIN b ON a.product_id = b.product_id
WHERE return_rate > 0.05;

WITH outer_cte AS (
    WITH inner_cte AS (
        SELECT order_id, SUM(amount) AS paid FROM payments WHERE status = 'captured' GROUP BY order_id
    )
    SELECT o.order_id, o.total_amount, inner_cte.paid
    FROM orders o LEFT JOIN inner_cte ON inner_cte.order_id = o.order_id
)
SELECT * FROM outer_cte WHERE paid IS NULL OR paid < total_amount;

WITH src AS (SELECT $1 AS code, $2 AS label FROM VALUES ('DE', 'Germany'), ('AT', 'Austria'), ('CH', 'Switzerland'))
SELECT src.label, COUNT(c.customer_id) AS customers
FROM src LEFT JOIN customers c ON c.country_code = src.code
GROUP BY src.label;

-- dbt style
with

source as (

    select * from raw.supplier_feeds

),

renamed as (

    select
        feed_id,
        supplier_id,
        received_at            as feed_received_at,
        body:currency::varchar as feed_currency,
        file_name
    from source

),

final as (

    select renamed.*, suppliers.supplier_name
    from renamed
    left join suppliers on renamed.supplier_id = suppliers.supplier_id

)

select * from final;

WITH dup AS (
  SELECT LOWER(email) AS mail, ARRAY_AGG(customer_id) AS ids, COUNT(*) AS n
  FROM customers GROUP BY LOWER(email) HAVING COUNT(*) > 1
)
SELECT c.* EXCLUDE (preferences, tags), dup.n
FROM customers c JOIN dup ON dup.mail = LOWER(c.email)
ORDER BY dup.mail, c.created_at;

WITH ranked AS (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY promo_code ORDER BY starts_on DESC) AS version_no
    FROM promotions
)
SELECT * EXCLUDE version_no FROM ranked WHERE version_no = 1;

WITH RECURSIVE months AS (
    SELECT DATE '2026-01-01' AS m
    UNION ALL
    SELECT DATEADD('month', 1, m) FROM months WHERE m < '2026-12-01'
)
SELECT months.m, t.store_id, t.q1 / 3 AS monthly_target
FROM months CROSS JOIN sales_targets t
WHERE t.fiscal_year = YEAR(months.m) AND QUARTER(months.m) = 1;

WITH basket AS (
    SELECT i1.product_id AS left_id, i2.product_id AS right_id, COUNT(DISTINCT i1.order_id) AS together
    FROM order_items i1
    JOIN order_items i2 ON i1.order_id = i2.order_id AND i1.product_id < i2.product_id
    GROUP BY left_id, right_id
)
SELECT pl.product_name, pr.product_name, b.together
FROM basket AS b
JOIN products AS pl ON pl.product_id = b.left_id
JOIN products AS pr ON pr.product_id = b.right_id
ORDER BY b.together DESC
LIMIT 50;

WITH rfm AS (
    SELECT customer_id,
           NTILE(5) OVER (ORDER BY last_order_day) AS r,
           NTILE(5) OVER (ORDER BY order_count) AS f,
           NTILE(5) OVER (ORDER BY lifetime_value) AS m
    FROM v_customer_value
    WHERE order_count > 0
)
SELECT r || '-' || f || '-' || m AS score, COUNT(*) AS customers
FROM rfm
GROUP BY score
HAVING customers > 20;

SELECT employee_id, manager_id, full_name, LEVEL AS depth, SYS_CONNECT_BY_PATH(full_name, ' / ') AS reporting_line, CONNECT_BY_ROOT full_name AS boss
FROM employees
START WITH manager_id IS NULL
CONNECT BY manager_id = PRIOR employee_id
ORDER BY reporting_line;

SELECT category_id, PRIOR category_name AS parent_name, category_name
FROM categories
  START WITH slug = 'home'
  CONNECT BY parent_category_id = PRIOR category_id;

WITH x AS (SELECT store_id FROM stores MINUS SELECT store_id FROM orders WHERE ordered_at > CURRENT_DATE - 30)
SELECT s.store_name FROM stores s WHERE s.store_id IN (SELECT store_id FROM x);

WITH params AS (SELECT '2026-04-01'::DATE AS from_day, 90 AS span)
SELECT o.order_id, o.ordered_at
FROM orders o, params
WHERE o.ordered_at >= params.from_day AND o.ordered_at < DATEADD(day, params.span, params.from_day);


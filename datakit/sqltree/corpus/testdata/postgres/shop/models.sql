with source as (
    select * from public.orders
),
renamed as (
    select
        id            as order_id,
        customer_id,
        status::text  as order_status,
        placed_at,
        total         as gross_amount,
        total / 1.19  as net_amount
    from source
    where status <> 'cart'
)
select * from renamed;

with orders as (
    select id as order_id, customer_id, placed_at, total from public.orders where placed_at is not null
),
customers as (
    select id as customer_id, email, country from public.customers
),
customer_orders as (
    select
        customer_id,
        min(placed_at) as first_order_at,
        max(placed_at) as most_recent_order_at,
        count(order_id) as number_of_orders,
        sum(total) as lifetime_value
    from orders
    group by customer_id
),
final as (
    select
        customers.customer_id,
        customers.email,
        customers.country,
        customer_orders.first_order_at,
        customer_orders.most_recent_order_at,
        coalesce(customer_orders.number_of_orders, 0) as number_of_orders,
        customer_orders.lifetime_value
    from customers
    left join customer_orders using (customer_id)
)
select * from final;

with spine as (
    select day from analytics.calendar where day between date '2024-01-01' and current_date
)
, countries as (
    select distinct country from analytics.daily_sales
)
, grid as (
    select spine.day, countries.country from spine cross join countries
)
, sales as (
    select day, country, sum(units) as units, sum(revenue) as revenue
    from analytics.daily_sales
    group by day, country
)
select
    grid.day
  , grid.country
  , coalesce(sales.units, 0) as units
  , coalesce(sales.revenue, 0) as revenue
  , sum(coalesce(sales.revenue, 0)) over (partition by grid.country, date_trunc('month', grid.day) order by grid.day) as mtd_revenue
from grid
left join sales
  on sales.day = grid.day
 and sales.country = grid.country;

select customer_id as unique_field, count(*) as n_records
from crm.contacts
where customer_id is not null
group by customer_id
having count(*) > 1;

select count(*) as failures, count(*) != 0 as should_warn from (
    with child as (select variant_id as from_field from public.order_lines where variant_id is not null),
    parent as (select id as to_field from public.variants)
    select from_field from child left join parent on child.from_field = parent.to_field where parent.to_field is null
) dbt_internal_test;

with all_values as (
    select status as value_field, count(*) as n_records from payments group by status
)
select * from all_values where value_field not in ('pending', 'captured', 'failed', 'refunded');

CREATE TABLE analytics.fct_order_lines AS (
    WITH lines AS (
        SELECT l.order_id, l.line_no, l.variant_id, l.quantity, l.amount FROM order_lines l
    ), enriched AS (
        SELECT lines.*, v.product_id, p.category_id, p.supplier_id, o.customer_id, o.placed_at::date AS day
        FROM lines
        JOIN variants v ON v.id = lines.variant_id
        JOIN products p ON p.id = v.product_id
        JOIN orders o ON o.id = lines.order_id
    )
    SELECT enriched.*, c.year, c.week
    FROM enriched
    LEFT JOIN analytics.calendar c USING (day)
);

WITH sessions AS (
    SELECT
        session_id,
        max(customer_id)                                            AS customer_id,
        min(occurred_at)                                            AS started_at,
        extract(epoch FROM max(occurred_at) - min(occurred_at))     AS seconds,
        count(*) FILTER (WHERE kind = 'view')                       AS views,
        (array_agg(url ORDER BY occurred_at))[1]                    AS landing_url,
        bool_or(kind = 'purchase')                                  AS converted
    FROM analytics.page_events
    GROUP BY session_id
),
attributed AS (
    SELECT s.*, substring(s.landing_url FROM 'utm_source=([^&]+)') AS utm_source
    FROM sessions s
)
SELECT coalesce(utm_source, '(direct)') AS source,
       count(*)                                             AS sessions,
       count(*) FILTER (WHERE converted)                    AS conversions,
       round(100.0 * count(*) FILTER (WHERE converted) / count(*), 2) AS rate
FROM attributed
WHERE started_at >= date_trunc('quarter', current_date)
GROUP BY source
HAVING count(*) >= 50
ORDER BY rate DESC;

-- RFM segments
WITH rfm AS (
    SELECT cv.customer_id,
           current_date - cv.last_order::date AS recency,
           cv.orders AS frequency,
           cv.revenue AS monetary
    FROM analytics.customer_value cv
),
scores AS (
    SELECT rfm.*,
           ntile(5) OVER (ORDER BY recency DESC)  AS r,
           ntile(5) OVER (ORDER BY frequency)     AS f,
           ntile(5) OVER (ORDER BY monetary)      AS m
    FROM rfm
)
SELECT scores.customer_id, customers.email, r, f, m,
       CASE
           WHEN r >= 4 AND f >= 4 THEN 'champion'
           WHEN r >= 4 AND f <= 2 THEN 'new'
           WHEN r <= 2 AND f >= 4 THEN 'at risk'
           ELSE 'other'
       END AS segment
FROM scores
JOIN customers ON customers.id = scores.customer_id;

WITH basket AS (
    SELECT DISTINCT l.order_id, v.product_id
    FROM order_lines l JOIN variants v ON v.id = l.variant_id
), pairs AS (
    SELECT a.product_id AS left_id, b.product_id AS right_id, count(*) AS together
    FROM basket a JOIN basket b USING (order_id)
    WHERE a.product_id < b.product_id
    GROUP BY a.product_id, b.product_id
), singles AS (
    SELECT product_id, count(*) AS orders FROM basket GROUP BY product_id
)
SELECT lp.name AS "left", rp.name AS "right", pairs.together,
       pairs.together::numeric / least(ls.orders, rs.orders) AS confidence
FROM pairs
JOIN singles ls ON ls.product_id = pairs.left_id
JOIN singles rs ON rs.product_id = pairs.right_id
JOIN products lp ON lp.id = pairs.left_id
JOIN products rp ON rp.id = pairs.right_id
WHERE pairs.together > 20
ORDER BY confidence DESC, together DESC
LIMIT 100;

select
    "{d}".day as "Day", "{d}".revenue as "Revenue"
from (select day, sum(revenue) as revenue from analytics.daily_sales group by day) "{d}"
order by "Day";

WITH snapshot AS (
    SELECT p.id, p.list_price, md5(row(p.name, p.list_price, p.discontinued)::text) AS scd_id FROM products p
),
current_rows AS (
    SELECT DISTINCT ON (ph.variant_id) v.product_id AS id, ph.price
    FROM price_history ph JOIN variants v ON v.id = ph.variant_id
    ORDER BY ph.variant_id, lower(ph.valid) DESC
)
SELECT coalesce(s.id, c.id) AS id,
       CASE WHEN c.id IS NULL THEN 'insert' WHEN s.id IS NULL THEN 'delete' ELSE 'update' END AS change
FROM snapshot s
FULL OUTER JOIN current_rows c USING (id)
WHERE s.list_price IS DISTINCT FROM c.price;

INSERT INTO analytics.daily_sales AS DBT_INTERNAL_DEST (day, product_id, country, channel, units, revenue)
WITH web AS (
    SELECT pe.occurred_at::date AS day, pe.product_id, coalesce(c.country, 'XX') AS country, pe.payload
    FROM analytics.page_events pe
    LEFT JOIN customers c ON c.id = pe.customer_id
    WHERE pe.kind = 'purchase' AND pe.product_id IS NOT NULL
)
SELECT web.day, web.product_id, web.country, 'app', count(*), sum((web.payload ->> 'value')::numeric)
FROM web
WHERE web.day > (SELECT coalesce(max(d.day), '-infinity') FROM analytics.daily_sales d WHERE d.channel = 'app')
GROUP BY web.day, web.product_id, web.country
ON CONFLICT (day, product_id, country, channel) DO UPDATE
SET units = DBT_INTERNAL_DEST.units + excluded.units,
    revenue = excluded.revenue
WHERE DBT_INTERNAL_DEST.revenue IS DISTINCT FROM excluded.revenue;

with recursive category_tree as (
    select c.id, c.id as root_id, c.name as root_name from categories c where c.parent_id is null
    union all
    select k.id, category_tree.root_id, category_tree.root_name from categories k inner join category_tree on k.parent_id = category_tree.id
), revenue as (
    select p.category_id, sum(s.revenue) as revenue, sum(s.cost) as cost
    from analytics.daily_sales s inner join products p on p.id = s.product_id
    group by p.category_id
)
select category_tree.root_name, sum(revenue.revenue) as revenue, sum(revenue.revenue - revenue.cost) as margin
from category_tree
left join revenue on revenue.category_id = category_tree.id
group by category_tree.root_id, category_tree.root_name
order by revenue desc nulls last;

SELECT m.month, m.product_id, m.revenue, p.month AS previous_month, p.revenue AS previous_revenue
FROM analytics.monthly_revenue m
LEFT JOIN analytics.monthly_revenue p ON p.product_id = m.product_id AND p.month = m.month - interval '1 month'
WHERE m.month >= (SELECT max(month) FROM analytics.monthly_revenue) - interval '12 months';

SELECT w.code, lead_times.company, lead_times.avg_days
FROM warehouses w
CROSS JOIN LATERAL (
    SELECT s.company, avg(extract(epoch FROM s.lead_time)) / 86400 AS avg_days
    FROM suppliers s
    JOIN products p ON p.supplier_id = s.id
    JOIN variants v ON v.product_id = p.id
    JOIN stock_levels sl ON sl.variant_id = v.id AND sl.warehouse_code = w.code
    GROUP BY s.id
    ORDER BY avg_days DESC
    LIMIT 3
) AS lead_times;

SELECT question, answer
FROM (VALUES
    ('orders without lines', (SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = o.id))),
    ('lines without stock',  (SELECT count(*) FROM order_lines l LEFT JOIN stock_levels s USING (variant_id) WHERE s.bin IS NULL)),
    ('customers twice',      (SELECT count(*) FROM (SELECT lower(email) FROM customers GROUP BY 1 HAVING count(*) > 1) d))
) AS checks (question, answer)
WHERE answer > 0
ORDER BY answer DESC;

-- fct_orders, incremental
WITH new_orders AS (
    SELECT * FROM staging.stg_orders
    WHERE ordered_at > (SELECT max(ordered_at) FROM mart.fct_orders)
),
amounts AS (
    SELECT order_id, sum(line.qty * line.unit_price) AS gross, sum(line.discount) AS discount
    FROM staging.stg_order_lines
    GROUP BY order_id
),
joined AS (
    SELECT
        hash(n.order_id) AS order_key,
        n.order_id,
        strftime(n.ordered_at, '%Y%m%d')::INTEGER AS date_key,
        c.customer_key,
        s.store_key,
        p.promotion_key,
        n.status,
        n.ordered_at,
        a.gross,
        a.discount,
        n.currency
    FROM new_orders n
    JOIN amounts a USING (order_id)
    LEFT JOIN mart.dim_customer c
        ON c.customer_id = n.customer_id
        AND n.ordered_at >= c.valid_from
        AND n.ordered_at < coalesce(c.valid_to, 'infinity'::TIMESTAMP)
    LEFT JOIN mart.dim_store s USING (store_code)
    LEFT JOIN mart.dim_promotion p ON p.coupon = n.coupon AND n.ordered_at::DATE BETWEEN p.starts_on AND p.ends_on
)
SELECT * FROM joined;

SELECT n.order_id, c.customer_key
FROM staging.stg_orders n
ASOF LEFT JOIN mart.dim_customer c ON c.customer_id = n.customer_id AND n.ordered_at >= c.valid_from;

CREATE OR REPLACE TABLE mart.dim_date AS
SELECT
    strftime(d, '%Y%m%d')::INTEGER AS date_key,
    d::DATE AS full_date,
    year(d) AS year,
    quarter(d) AS quarter,
    month(d) AS month,
    week(d) AS week,
    dayname(d) AS day_name,
    isodow(d) > 5 AS is_weekend,
    format('FY{}-P{:02d}', year(d + INTERVAL 6 MONTHS), month(d + INTERVAL 6 MONTHS)) AS fiscal_period
FROM generate_series(TIMESTAMP '2015-01-01', TIMESTAMP '2030-12-31', INTERVAL 1 DAY) AS g(d);

CREATE OR REPLACE TABLE mart.agg_daily AS
FROM mart.sales
SELECT sale_date, store_code, revenue: sum(revenue), profit: sum(profit), orders: count(DISTINCT order_key)
GROUP BY sale_date, store_code
ORDER BY ALL;

CREATE TABLE mart.customer_orders AS (
    with customers as (select * from mart.current_customers),
    orders as (select * from mart.fct_orders where status <> 'returned'),
    customer_orders as (
        select customer_key, min(ordered_at) as first_order, max(ordered_at) as most_recent_order, count(order_key) as number_of_orders
        from orders
        group by customer_key
    ),
    final as (
        select customers.*, customer_orders.* exclude (customer_key)
        from customers left join customer_orders on customers.customer_key = customer_orders.customer_key
    )
    select * from final
);

CREATE TEMP TABLE fct_orders__dbt_tmp AS SELECT *
FROM mart.fct_orders
WHERE ordered_at >= current_date - INTERVAL 3 DAY;

CREATE OR REPLACE VIEW mart.customer_value AS
WITH o AS (SELECT customer_key, sum(net_amount) AS value, count(*) AS orders FROM mart.fct_orders GROUP BY customer_key)
SELECT c.customer_key, c.full_name, coalesce(o.value, 0) AS value, o.orders,
       CASE WHEN value > 10_000 THEN 'gold' WHEN value > 1_000 THEN 'silver' ELSE 'bronze' END AS tier
FROM mart.current_customers c
LEFT JOIN o USING (customer_key);

CREATE VIEW mart.store_month (store, month, revenue) AS SELECT store_code,
    month,
    sum(revenue)
FROM mart.monthly_sales
GROUP BY 1, 2;

-- dbt test: unique
select customer_key as unique_field, count(*) as n_records
from mart.dim_customer
where customer_key is not null
group by customer_key
having count(*) > 1;

-- dbt test: relationships
with child as (
    select product_key as from_field from mart.fct_order_lines where product_key is not null
),
parent as (
    select product_key as to_field from mart.dim_product
)
select from_field from child left join parent on child.from_field = parent.to_field where parent.to_field is null;

select count(*) as failures, count(*) != 0 as should_warn, count(*) != 0 as should_error
from (
    with all_values as (
        select status as value_field, count(*) as n_records from mart.fct_orders group by status
    )
    select * from all_values where value_field not in ('placed','shipped','completed','return_pending','returned')
) dbt_internal_test;

select *
from (select * from mart.fct_orders where gross_amount < discount_amount) as failures
limit 500;

SELECT a.customer_id, a.valid_from, b.valid_from AS overlaps_with
FROM mart.dim_customer a
JOIN mart.dim_customer b
  ON a.customer_id = b.customer_id AND a.customer_key < b.customer_key
 AND a.valid_from < coalesce(b.valid_to, 'infinity') AND b.valid_from < coalesce(a.valid_to, 'infinity');

WITH changes AS (
    SELECT s.customer_id, s.first_name || ' ' || s.last_name AS full_name, s.email, s.country, s.updated_at
    FROM staging.stg_customers s
    JOIN mart.dim_customer d ON d.customer_id = s.customer_id AND d.is_current
    WHERE (s.email, s.country) IS DISTINCT FROM (d.email, d.country)
)
SELECT (SELECT max(customer_key) FROM mart.dim_customer) + row_number() OVER (ORDER BY customer_id) AS customer_key, *
FROM changes;

SELECT customer_id,
       valid_from,
       lead(valid_from) OVER (PARTITION BY customer_id ORDER BY valid_from) AS valid_to,
       valid_to IS NULL AS is_current
FROM mart.dim_customer;

(SELECT order_id FROM staging.stg_orders EXCEPT SELECT order_id FROM mart.fct_orders)
UNION ALL
(SELECT order_id FROM mart.fct_orders EXCEPT SELECT order_id FROM staging.stg_orders)
ORDER BY order_id;

with a as (select * from staging.stg_products), b as (select sku, product_name, list_price, cost from mart.dim_product)
select 'only_in_a' as side, sku, list_price from a anti join b using (sku)
union all
select 'only_in_b', sku, list_price from b anti join a using (sku);

WITH RECURSIVE chain AS (
    SELECT store_key, store_name, manager_key, 1 AS lvl, [store_key] AS path FROM mart.dim_store WHERE manager_key IS NULL
    UNION ALL
    SELECT s.store_key, s.store_name, s.manager_key, c.lvl + 1, c.path || [s.store_key]
    FROM mart.dim_store s JOIN chain c ON s.manager_key = c.store_key
    WHERE s.store_key NOT IN c.path
)
FROM chain ORDER BY path;

WITH RECURSIVE spine(d) AS (SELECT min(full_date) FROM mart.dim_date UNION ALL SELECT d + 1 FROM spine WHERE d < DATE '2024-12-31')
SELECT d FROM spine ANTI JOIN mart.dim_date ON dim_date.full_date = spine.d;

with dim_store as (select store_key, upper(store_name) as store_name from mart.dim_store)
select dim_store.store_name, count(*) from dim_store join mart.fct_orders using (store_key) group by dim_store.store_name;

WITH fct_orders AS (SELECT order_key AS k FROM mart.fct_orders)
SELECT fct_orders.k, o.order_key
FROM fct_orders
JOIN mart.fct_orders o ON o.order_key = k;

SELECT p.product_key,
    p.margin,
    p.margin / nullif(p.list_price, 0) AS rate
FROM mart.dim_product p
WHERE p.discontinued_on IS NULL
ORDER BY rate;

SELECT o.currency,
    sum(to_eur(o.net_amount, r.rate_to_eur)) AS eur
FROM mart.fct_orders o
JOIN latest_rates r USING (currency)
GROUP BY o.currency;

SELECT o.order_key, o.net_amount * x.rate_to_eur AS eur
FROM mart.fct_orders o
ASOF JOIN exchange_rates x ON o.currency = x.currency AND o.ordered_at >= x.rate_date;

SELECT r.model,
    r.rows_affected,
    r.vars->>'target' AS target,
    r.finished_at - r.started_at AS took
FROM run_log r
WHERE r.status = 'error'
ORDER BY r.started_at DESC;

SELECT model,
    avg(epoch(finished_at - started_at)) AS seconds,
    count(*) FILTER (status = 'error') AS errors
FROM main.run_log
GROUP BY model
HAVING errors > 0
ORDER BY seconds DESC;

SELECT * FROM (
    SELECT model, status, message, row_number() OVER last_run AS n
    FROM run_log
    WINDOW last_run AS (PARTITION BY model ORDER BY started_at DESC)
) WHERE n = 1 AND status <> 'ok';

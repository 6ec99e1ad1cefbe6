-- Customers by the month of their first order, and how they came back.
with firsts as (
    select
        customer_id,
        date_trunc('month', order_day)::date as cohort_month
    from {{ ref('fct_orders') }}
    where is_first_order
),

sizes as (
    select
        cohort_month,
        count(*) as cohort_size
    from firsts
    group by cohort_month
)

select
    f.cohort_month,
    date_diff('month', f.cohort_month, o.order_day) as months_since_first_order,
    s.cohort_size,
    count(distinct o.customer_id) as active_customers,
    count(*) as orders,
    sum(o.revenue)::decimal(12, 2) as revenue,
    round(count(distinct o.customer_id) / s.cohort_size, 4) as retention_rate
from {{ ref('fct_orders') }} as o
inner join firsts as f on f.customer_id = o.customer_id
inner join sizes as s on s.cohort_month = f.cohort_month
group by f.cohort_month, months_since_first_order, s.cohort_size
order by f.cohort_month, months_since_first_order

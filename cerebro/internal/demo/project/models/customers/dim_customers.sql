select
    c.customer_id,
    c.region_id,
    r.region,
    r.country,
    c.customer_segment,
    c.acquisition_channel,
    c.birth_year,
    c.marketing_opt_in,
    c.signed_up_at,
    o.first_order_at,
    o.last_order_at,
    coalesce(o.orders, 0) as orders,
    coalesce(o.revenue, 0)::decimal(12, 2) as lifetime_revenue,
    o.days_between_orders
from {{ ref('stg_customers') }} as c
inner join {{ ref('dim_regions') }} as r on r.region_id = c.region_id
left join {{ ref('int_customer_orders') }} as o on o.customer_id = c.customer_id
order by c.customer_id

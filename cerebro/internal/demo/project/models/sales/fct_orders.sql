-- Orders that count: all but the cancelled ones.
select
    o.order_id,
    o.customer_id,
    o.region_id,
    r.region,
    r.country,
    c.customer_segment,
    o.warehouse,
    o.channel,
    o.status,
    o.coupon_code,
    o.ordered_at,
    o.order_day,
    o.line_count,
    o.units,
    o.category_count,
    o.gross_amount,
    o.discount_amount,
    o.delivery_fee,
    o.revenue,
    o.cost,
    o.is_first_order
from {{ ref('int_orders_enriched') }} as o
inner join {{ ref('dim_regions') }} as r on r.region_id = o.region_id
inner join {{ ref('stg_customers') }} as c on c.customer_id = o.customer_id
where not o.is_cancelled
order by o.order_id

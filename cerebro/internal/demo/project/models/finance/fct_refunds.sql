select
    f.refund_id,
    f.order_item_id,
    i.order_id,
    o.customer_id,
    i.product_id,
    o.region_id,
    o.region,
    o.country,
    o.channel,
    f.refunded_at,
    timezone('Europe/Berlin', timezone('UTC', f.refunded_at))::date as refund_day,
    f.amount,
    f.reason,
    f.risk_score
from {{ ref('stg_refunds') }} as f
inner join {{ ref('stg_order_items') }} as i on i.order_item_id = f.order_item_id
inner join {{ ref('fct_orders') }} as o on o.order_id = i.order_id
order by f.refund_id

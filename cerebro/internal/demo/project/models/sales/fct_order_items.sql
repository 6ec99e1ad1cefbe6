-- Lines of the orders that count. The coupon of an order is spread over its lines
-- so that they add up to the order to the cent: each line takes the difference of
-- two rounded running shares.
with lines as (
    select
        i.*,
        i.gross_amount - i.discount_amount as net_amount,
        sum(i.gross_amount - i.discount_amount) over (partition by i.order_id order by i.order_item_id) as running,
        sum(i.gross_amount - i.discount_amount) over (partition by i.order_id) as total
    from {{ ref('stg_order_items') }} as i
),

refunded as (
    select
        order_item_id,
        sum(amount)::decimal(12, 2) as amount
    from {{ ref('stg_refunds') }}
    group by order_item_id
),

shared as (
    select
        l.*,
        (round(o.discount_amount * l.running / l.total, 2)
            - round(o.discount_amount * (l.running - l.net_amount) / l.total, 2))::decimal(12, 2) as coupon_share
    from lines as l
    inner join {{ ref('stg_orders') }} as o on o.order_id = l.order_id
)

select
    l.order_item_id,
    l.order_id,
    o.customer_id,
    l.product_id,
    o.region_id,
    p.category,
    o.channel,
    o.warehouse,
    o.ordered_at,
    o.order_day,
    l.quantity,
    l.unit_price,
    l.gross_amount,
    (l.discount_amount + l.coupon_share)::decimal(12, 2) as discount_amount,
    (l.net_amount - l.coupon_share)::decimal(12, 2) as revenue,
    (l.quantity * l.unit_cost)::decimal(12, 2) as cost,
    coalesce(f.amount, 0)::decimal(12, 2) as refund_amount,
    f.amount is not null as is_refunded
from shared as l
inner join {{ ref('fct_orders') }} as o on o.order_id = l.order_id
inner join {{ ref('stg_products') }} as p on p.product_id = l.product_id
left join refunded as f on f.order_item_id = l.order_item_id
order by l.order_item_id

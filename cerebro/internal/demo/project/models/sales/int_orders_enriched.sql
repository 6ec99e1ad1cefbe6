-- Every order with the totals of its lines, cancelled ones included. Days are those
-- of the shop's time zone.
with categories as (
    select
        i.order_id,
        p.category,
        count(*) as line_count,
        sum(i.quantity) as units,
        sum(i.gross_amount) as gross_amount,
        sum(i.discount_amount) as line_discount,
        sum(i.quantity * i.unit_cost) as cost
    from {{ ref('stg_order_items') }} as i
    inner join {{ ref('stg_products') }} as p on p.product_id = i.product_id
    group by i.order_id, p.category
),

lines as (
    select
        order_id,
        sum(line_count)::bigint as line_count,
        sum(units)::bigint as units,
        count(*) as category_count,
        sum(gross_amount)::decimal(12, 2) as gross_amount,
        sum(line_discount)::decimal(12, 2) as line_discount,
        sum(cost)::decimal(12, 2) as cost
    from categories
    group by order_id
)

select
    o.order_id,
    o.customer_id,
    o.order_number,
    o.region_id,
    o.warehouse,
    o.channel,
    o.status,
    o.coupon_code,
    o.ordered_at,
    timezone('Europe/Berlin', timezone('UTC', o.ordered_at))::date as order_day,
    o.promised_at,
    o.delivered_at,
    l.line_count,
    l.units,
    l.category_count,
    l.gross_amount,
    (l.line_discount + o.discount_amount)::decimal(12, 2) as discount_amount,
    o.delivery_fee,
    (l.gross_amount - l.line_discount - o.discount_amount)::decimal(12, 2) as revenue,
    l.cost,
    o.order_number = 1 as is_first_order,
    o.status = 'cancelled' as is_cancelled
from {{ ref('stg_orders') }} as o
inner join lines as l on l.order_id = o.order_id
order by o.order_id

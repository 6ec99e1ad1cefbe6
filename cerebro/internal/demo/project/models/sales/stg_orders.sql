-- Orders as the shop writes them, with money in euros. Times stay in UTC.
select
    order_id,
    customer_id,
    order_number,
    region_id,
    warehouse,
    channel,
    status,
    coupon_code,
    (discount_cents / 100)::decimal(12, 2) as discount_amount,
    (delivery_fee_cents / 100)::decimal(12, 2) as delivery_fee,
    ordered_at,
    promised_at,
    delivered_at
from {{ source('raw', 'orders') }}

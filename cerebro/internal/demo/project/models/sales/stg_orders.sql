-- Orders as the shop writes them: money in euros, times in the shop's time zone.
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
    ordered_at as ordered_at_utc,
    timezone('Europe/Berlin', timezone('UTC', ordered_at)) as ordered_at,
    timezone('Europe/Berlin', timezone('UTC', promised_at)) as promised_at,
    timezone('Europe/Berlin', timezone('UTC', delivered_at)) as delivered_at
from {{ source('raw', 'orders') }}

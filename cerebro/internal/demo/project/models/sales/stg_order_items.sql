select
    order_item_id,
    order_id,
    product_id,
    quantity,
    (unit_price_cents / 100)::decimal(12, 2) as unit_price,
    (unit_cost_cents / 100)::decimal(12, 2) as unit_cost,
    (quantity * unit_price_cents / 100)::decimal(12, 2) as gross_amount,
    (discount_cents / 100)::decimal(12, 2) as discount_amount
from {{ source('raw', 'order_items') }}

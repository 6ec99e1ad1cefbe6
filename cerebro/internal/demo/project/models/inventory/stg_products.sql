select
    product_id,
    sku,
    product_name,
    category,
    brand,
    (unit_price_cents / 100)::decimal(12, 2) as unit_price,
    (unit_cost_cents / 100)::decimal(12, 2) as unit_cost,
    is_organic,
    launched_on
from {{ source('raw', 'products') }}

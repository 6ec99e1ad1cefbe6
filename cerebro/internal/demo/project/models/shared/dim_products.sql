select
    product_id,
    sku,
    product_name,
    category,
    brand,
    unit_price,
    unit_cost,
    round((unit_price - unit_cost) / unit_price, 4) as margin_rate,
    is_organic,
    launched_on
from {{ ref('stg_products') }}
order by product_id

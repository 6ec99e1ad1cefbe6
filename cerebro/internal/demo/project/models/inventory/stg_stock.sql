select
    stock_date as stock_day,
    warehouse,
    product_id,
    units_on_hand,
    reorder_point
from {{ source('raw', 'stock') }}

select
    s.stock_day,
    s.warehouse,
    s.product_id,
    p.category,
    s.units_on_hand,
    s.reorder_point,
    (s.units_on_hand * p.unit_cost)::decimal(12, 2) as stock_value,
    s.units_on_hand = 0 as is_stockout
from {{ ref('stg_stock') }} as s
inner join {{ ref('stg_products') }} as p on p.product_id = s.product_id
order by s.stock_day, s.warehouse, s.product_id

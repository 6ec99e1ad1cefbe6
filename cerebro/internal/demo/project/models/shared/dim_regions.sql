select
    region_id,
    area,
    region,
    country,
    opened_on
from {{ source('raw', 'regions') }}
order by region_id

select
    customer_id,
    full_name,
    email,
    region_id,
    segment as customer_segment,
    acquisition_channel,
    birth_year,
    marketing_opt_in,
    signed_up_at
from {{ source('raw', 'customers') }}

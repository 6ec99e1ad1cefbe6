select
    spend_date as spend_day,
    acquisition_channel,
    region_id,
    (spend_cents / 100)::decimal(12, 2) as spend,
    impressions,
    clicks
from {{ source('raw', 'marketing_spend') }}
order by spend_day, region_id, acquisition_channel

select
    session_id,
    customer_id,
    region_id,
    device,
    traffic_source,
    page_views,
    duration_seconds,
    stage,
    order_id,
    started_at
from {{ source('raw', 'sessions') }}

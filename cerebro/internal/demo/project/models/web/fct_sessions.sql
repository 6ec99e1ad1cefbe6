select
    session_id,
    customer_id,
    region_id,
    device,
    traffic_source,
    started_at,
    session_day,
    funnel_stage,
    page_views,
    duration_seconds,
    converted,
    order_id
from {{ ref('int_session_funnel') }}
order by session_id

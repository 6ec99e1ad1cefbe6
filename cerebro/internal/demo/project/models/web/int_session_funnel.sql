-- How far each visit came. The day is that of the shop's time zone.
select
    session_id,
    customer_id,
    region_id,
    device,
    traffic_source,
    page_views,
    duration_seconds,
    order_id,
    started_at,
    timezone('Europe/Berlin', timezone('UTC', started_at))::date as session_day,
    ['visit', 'product', 'cart', 'checkout', 'order'][stage + 1] as funnel_stage,
    stage >= 1 as viewed_product,
    stage >= 2 as used_cart,
    stage >= 3 as started_checkout,
    stage >= 4 as converted
from {{ ref('stg_sessions') }}
order by session_id

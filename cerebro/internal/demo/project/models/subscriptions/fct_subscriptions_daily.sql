-- One row a day for each plan, segment and delivery area with subscribers, or with
-- a subscription that began or ended that day.
with subscriptions as (
    select
        s.plan,
        s.started_on,
        s.ended_on,
        (s.monthly_price_cents / 100)::decimal(12, 2) as monthly_price,
        c.customer_segment,
        c.region_id
    from {{ source('raw', 'subscriptions') }} as s
    inner join {{ ref('stg_customers') }} as c on c.customer_id = s.customer_id
),

happened as (
    select
        d.day,
        s.plan,
        s.customer_segment,
        s.region_id,
        1 as active,
        s.monthly_price as mrr,
        0 as started,
        0 as ended
    from subscriptions as s
    inner join {{ ref('dim_time_spine_daily') }} as d
        on d.day >= s.started_on and (s.ended_on is null or d.day < s.ended_on)

    union all

    select started_on, plan, customer_segment, region_id, 0, 0, 1, 0
    from subscriptions

    union all

    select ended_on, plan, customer_segment, region_id, 0, 0, 0, 1
    from subscriptions
    where ended_on is not null
)

select
    day as subscription_day,
    plan,
    customer_segment,
    region_id,
    sum(active)::bigint as active_subscribers,
    sum(mrr)::decimal(12, 2) as mrr,
    sum(started)::bigint as new_subscriptions,
    sum(ended)::bigint as churned_subscriptions
from happened
where day between date '2024-01-01' and date '2025-12-31'
group by day, plan, customer_segment, region_id
order by day, plan, customer_segment, region_id

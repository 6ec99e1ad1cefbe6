-- Revenue by the day of the order beside refunds by the day of the refund.
with booked as (
    select
        order_day as day,
        region,
        country,
        channel,
        1 as orders,
        revenue,
        0 as refunds
    from {{ ref('fct_orders') }}

    union all

    select refund_day, region, country, channel, 0, 0, amount
    from {{ ref('fct_refunds') }}
)

select
    day,
    region,
    country,
    channel,
    sum(orders)::bigint as orders,
    sum(revenue)::decimal(12, 2) as revenue,
    sum(refunds)::decimal(12, 2) as refunds,
    (sum(revenue) - sum(refunds))::decimal(12, 2) as net_revenue
from booked
group by day, region, country, channel
order by day, region, country, channel

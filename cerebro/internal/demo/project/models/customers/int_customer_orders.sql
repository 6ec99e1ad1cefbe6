-- What each customer who ordered has ordered.
select
    customer_id,
    min(ordered_at) filter (where is_first_order) as first_order_at,
    max(ordered_at) as last_order_at,
    count(*) as orders,
    sum(units)::bigint as units,
    sum(revenue)::decimal(12, 2) as revenue,
    case
        when count(*) > 1
            then round(date_diff('day', min(ordered_at), max(ordered_at)) / (count(*) - 1), 1)
    end as days_between_orders
from {{ ref('int_orders_enriched') }}
where not is_cancelled
group by customer_id
order by customer_id

-- Deliveries against the promised time, by the day on which they came.
with deliveries as (
    select
        timezone('Europe/Berlin', timezone('UTC', delivered_at))::date as delivery_day,
        warehouse,
        region_id,
        date_diff('minute', promised_at, delivered_at) as minutes_late
    from {{ ref('int_orders_enriched') }}
    where delivered_at is not null
)

select
    delivery_day,
    warehouse,
    region_id,
    case
        when minutes_late > 0 then 'late'
        when minutes_late < -60 then 'early'
        else 'on_time'
    end as sla_status,
    count(*) as deliveries,
    sum(greatest(minutes_late, 0))::bigint as minutes_late
from deliveries
group by delivery_day, warehouse, region_id, sla_status
order by delivery_day, warehouse, region_id, sla_status

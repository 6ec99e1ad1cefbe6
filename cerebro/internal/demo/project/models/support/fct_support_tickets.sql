select
    ticket_id,
    customer_id,
    order_id,
    priority,
    topic,
    contact_channel,
    opened_at,
    timezone('Europe/Berlin', timezone('UTC', opened_at))::date as ticket_day,
    first_response_at,
    resolved_at,
    first_response_hours,
    resolution_hours,
    resolved_at is not null as is_resolved,
    satisfaction
from {{ ref('stg_tickets') }}
order by ticket_id

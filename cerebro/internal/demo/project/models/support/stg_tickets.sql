select
    ticket_id,
    customer_id,
    order_id,
    priority,
    topic,
    contact_channel,
    satisfaction,
    opened_at,
    first_response_at,
    resolved_at,
    round(date_diff('minute', opened_at, first_response_at) / 60, 2) as first_response_hours,
    round(date_diff('minute', opened_at, resolved_at) / 60, 2) as resolution_hours
from {{ source('raw', 'tickets') }}

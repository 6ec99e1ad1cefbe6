-- Waiting times are taken between the times in UTC, so that a change of the clocks
-- does not lengthen or shorten them.
select
    ticket_id,
    customer_id,
    order_id,
    priority,
    topic,
    contact_channel,
    satisfaction,
    timezone('Europe/Berlin', timezone('UTC', opened_at)) as opened_at,
    timezone('Europe/Berlin', timezone('UTC', first_response_at)) as first_response_at,
    timezone('Europe/Berlin', timezone('UTC', resolved_at)) as resolved_at,
    round(date_diff('minute', opened_at, first_response_at) / 60, 2) as first_response_hours,
    round(date_diff('minute', opened_at, resolved_at) / 60, 2) as resolution_hours
from {{ source('raw', 'tickets') }}

select
    refund_id,
    order_item_id,
    (amount_cents / 100)::decimal(12, 2) as amount,
    reason,
    risk_score,
    refunded_at
from {{ source('raw', 'refunds') }}

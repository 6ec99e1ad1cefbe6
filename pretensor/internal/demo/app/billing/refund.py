"""Refunds: checks what is left of a payment and pays it back."""

import sqlite3
from datetime import datetime, timezone


def refundable(db: sqlite3.Connection, payment_id: int) -> float:
    """What can still be paid back, in EUR."""
    query = """
        SELECT p.amount - coalesce(sum(r.amount), 0)
        FROM payments AS p
        LEFT JOIN refunds AS r ON r.payment_id = p.id
        WHERE p.id = ?
        GROUP BY p.id
    """
    row = db.execute(query, (payment_id,)).fetchone()
    return row[0] if row else 0.0


def refund(db: sqlite3.Connection, payment_id: int, amount: float, reason: str, approved_by: int) -> None:
    """Pays back an amount and, when nothing is left, closes the payment."""
    left = refundable(db, payment_id)
    if amount > left:
        raise ValueError(f"payment {payment_id} has {left:.2f} EUR left, not {amount:.2f}")
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
    with db:
        db.execute(
            "INSERT INTO refunds (payment_id, amount, reason, approved_by, refunded_at) "
            "VALUES (?, ?, ?, ?, ?)",
            (payment_id, amount, reason, approved_by, now),
        )
        if amount == left:
            db.execute("UPDATE payments SET status = 'refunded' WHERE id = ?", (payment_id,))

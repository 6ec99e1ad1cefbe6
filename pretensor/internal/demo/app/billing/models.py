"""Tables of the billing service as SQLAlchemy sees them."""

from sqlalchemy import ForeignKey, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column


class Base(DeclarativeBase):
    pass


class Payment(Base):
    __tablename__ = "payments"

    id: Mapped[int] = mapped_column(primary_key=True)
    order_id: Mapped[int] = mapped_column(ForeignKey("orders.id"))
    method: Mapped[str]
    status: Mapped[str]
    amount: Mapped[float]


def unsettled(session: Session) -> list[Payment]:
    """Payments whose money has not arrived."""
    return list(session.scalars(select(Payment).where(Payment.status == "pending")))

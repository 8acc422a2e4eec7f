"""A delivery: one event on its way to one endpoint, as operators see it (C-53)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ...domain.errors import NotFoundError
from ..records.callback_delivery import CallbackDeliveryRow


class DeliveryStatus(StrEnum):
    """Where a delivery stands."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


# Kinds of failure beside those of the web: an answer that is no 2xx, and what keeps a call from being made.
NOT_2XX = "not_2xx"
SECRET_UNREADABLE = "secret_unreadable"  # noqa: S105  the name of a failure
ENDPOINT_REMOVED = "endpoint_removed"


class DeliveryNotFoundError(NotFoundError):
    """The endpoint has no delivery of this id, or none any more."""

    code = "delivery_not_found"

    def __init__(self) -> None:
        super().__init__(
            "The endpoint has no delivery of this id. Deliveries are kept for 7 days after their end."
        )


@frozen(kw_only=True)
class DeliveryView:
    """A delivery without its body, which says what the event of `event_id` does."""

    id: str
    endpoint_id: str
    type: str
    event_id: str
    status: str
    attempts: int
    last_status: int | None
    error: str | None
    next_attempt_at: datetime | None
    created_at: datetime
    ended_at: datetime | None

    @classmethod
    def of(cls, row: CallbackDeliveryRow) -> DeliveryView:
        """Return what callers see of a row."""
        return cls(
            id=row.id,
            endpoint_id=row.endpoint_id,
            type=row.type,
            event_id=row.event_id,
            status=row.status,
            attempts=row.attempts,
            last_status=row.last_status,
            error=row.error,
            next_attempt_at=row.next_attempt_at,
            created_at=row.created_at,
            ended_at=row.ended_at,
        )

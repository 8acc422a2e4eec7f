"""A delivery: one event on its way to one endpoint, as operators see it (C-53)."""

from __future__ import annotations

from enum import StrEnum

from ...domain.errors import NotFoundError


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

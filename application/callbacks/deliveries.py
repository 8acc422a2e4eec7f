"""A delivery: one event for one endpoint, as operators see it (C-53)."""

from __future__ import annotations

from enum import StrEnum

from ...domain.errors import NotFoundError

DELIVERY_PREFIX = "dlv"


class DeliveryStatus(StrEnum):
    """The status of a delivery."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


# Failures that are no errors of the web: an answer that is not 2xx, and reasons not to call at all.
NOT_2XX = "not_2xx"
SECRET_UNREADABLE = "secret_unreadable"  # noqa: S105  the name of a failure
ENDPOINT_REMOVED = "endpoint_removed"


class DeliveryNotFoundError(NotFoundError):
    """The endpoint has no delivery with this id: it was dropped after some days, or its person erased."""

    code = "delivery_not_found"

    def __init__(self) -> None:
        super().__init__(
            "The endpoint has no delivery of this id. Deliveries are kept for 7 days after their end, or"
            " until their person is erased."
        )

"""The views of callback endpoints and their deliveries (C-53)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from ...domain.callback_endpoint import OPERATORS
from ...domain.event import MASK, secret
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.callback_endpoint import CallbackEndpointRow


@frozen(kw_only=True)
class CallbackView:
    """
    An endpoint; `secret` is `***` except in the answer to its creation.

    One of operators belongs to no account.
    """

    id: str
    account_id: str | None
    url: str = field(repr=False)
    events: tuple[str, ...]
    secret: str = secret(default=MASK)
    created_at: datetime
    removed_at: datetime | None

    @classmethod
    def of(cls, row: CallbackEndpointRow) -> CallbackView:
        """Return the view of a row."""
        return cls(
            id=row.id,
            account_id=None if row.account_id == OPERATORS else row.account_id,
            url=row.url,
            events=row.events,
            created_at=row.created_at,
            removed_at=row.removed_at,
        )


@frozen(kw_only=True)
class DeliveryView:
    """A delivery without its body, which repeats the event of `event_id`."""

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
        """Return the view of a row."""
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


@frozen(kw_only=True)
class DeliveryRequest:
    """
    The request of a delivery's attempts, without the time and the signature, which each attempt has anew.

    `body` is what the body says; None if this node lacks the code key, or an erasure took it.
    """

    url: str = field(repr=False)
    body: Mapping[str, Any] | None = field(repr=False)


@frozen(kw_only=True)
class WholeDelivery(DeliveryView):
    """
    A delivery with its request, and the beginning of its last answer unless that was a success.

    What a receiver says may be about a person, so it is stored sealed, and erased with its person.
    """

    request: DeliveryRequest
    last_answer: str | None = field(repr=False)


@frozen(kw_only=True)
class SentTest:
    """A test event on its way: the delivery of this id is made at once, and then attempted."""

    endpoint_id: str
    delivery_id: str

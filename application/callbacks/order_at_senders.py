"""The order in which the sender of a message hears of it: a status once those before have arrived (D-101)."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..journal import Journal
from ..ports.listings import Equals, Query
from ..records.callback_delivery import CallbackDeliveryRow

_SHORTEST_WAIT, _LONGEST_WAIT = timedelta(seconds=1), timedelta(minutes=5)


async def after_those_before(
    journal: Journal, delivery: CallbackDeliveryRow, now: datetime
) -> datetime | None:
    """
    Give when to look again where the sender of a message has not heard yet what came before.

    One that hears that a message was read, and then that it was sent, may take it for sent.
    """
    if delivery.url is None:
        return None
    told = await journal.slice(
        Query(rows=CallbackDeliveryRow, where=(Equals("endpoint_id", delivery.endpoint_id),))
    )
    before = [
        each.next_attempt_at
        for each in told
        if each.event_version < delivery.event_version and each.next_attempt_at is not None
    ]
    if not before:
        return None
    pause = min(max(now - delivery.queued_at, _SHORTEST_WAIT), _LONGEST_WAIT)
    return max(now + pause, max(before) + _SHORTEST_WAIT)

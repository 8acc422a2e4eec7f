"""The order of callbacks at a message's own URL: each status waits for the earlier ones (D-101)."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..journal import Journal
from ..ports.listings import Equals, Query
from ..records.callback_delivery import CallbackDeliveryRow

_SHORTEST_WAIT, _LONGEST_WAIT = timedelta(seconds=1), timedelta(minutes=5)


async def wait_for_earlier_statuses(
    journal: Journal, delivery: CallbackDeliveryRow, now: datetime
) -> datetime | None:
    """
    Return when to attempt a delivery again; None if no earlier status is on its way.

    A sender that receives `READ` and then `SENT` could take the message for unread.
    """
    if delivery.url is None:
        return None
    of_message = await journal.slice(
        Query(rows=CallbackDeliveryRow, where=(Equals("endpoint_id", delivery.endpoint_id),))
    )
    earlier = [
        each.next_attempt_at
        for each in of_message
        if each.event_version < delivery.event_version and each.next_attempt_at is not None
    ]
    if not earlier:
        return None
    pause = min(max(now - delivery.queued_at, _SHORTEST_WAIT), _LONGEST_WAIT)
    return max(now + pause, max(earlier) + _SHORTEST_WAIT)

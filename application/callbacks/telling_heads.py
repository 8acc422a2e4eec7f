"""
Make the deliveries of signed heads to the endpoints of operators (C-105, D-464).

A head is no event of the log, because a log of its own heads would grow for ever. So this follows the kept
heads, and its position is the size of the last one. What is delivered is as of any callback (D-66).
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

from ...domain.callback_endpoint import OPERATORS, CallbackType
from ..caller import THE_WORKER
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Checkpoint, Due, DueKind, Overtaken
from ..ports.randomness import Randomness
from ..ports.sealed_log import Head
from ..records.callback_delivery import CallbackDeliveryRow
from ..records.callback_endpoint import CallbackEndpointRow
from .deliveries import DELIVERY_PREFIX, DeliveryStatus
from .live_endpoints import LiveEndpoints
from .notification import Notification, WriteCallback

# The checkpoint with the size of the last head that was told.
FOLLOWER = "callbacks.heads"
_BATCH = 32


def head_id(size: int) -> str:
    """Return the id of a head, which stands where other deliveries have that of their event."""
    return f"head_{size}"


class TellingHeads:
    """Due work without due rows: makes one delivery for each new head and endpoint of operators."""

    kind = None

    def __init__(
        self,
        journal: Journal,
        write_callback: WriteCallback,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._write_callback = write_callback
        self._randomness = randomness
        self._clock = clock
        self._endpoints = LiveEndpoints(journal)

    async def run_due(self) -> int:
        """Make the deliveries of some heads; return how many heads these were."""
        endpoints = await self._endpoints.of_operators()
        if not endpoints:
            return 0
        since = {each.id: await self._endpoints.since(each.id) for each in endpoints}
        told = await self._journal.position(FOLLOWER)
        # A head that covers the creation of an endpoint was signed after it.
        after = max(told, min(since.values()) - 1)
        heads = await self._journal.sealed_log.heads(after, _BATCH)
        if not heads:
            return 0
        rows = [
            self._delivery(each, head)
            for head in heads
            for each in endpoints
            if since[each.id] <= head.size
        ]
        return len(heads) if await self._write(told, heads[-1].size, rows) else 0

    async def _write(self, told: int, size: int, rows: Sequence[CallbackDeliveryRow]) -> bool:
        now = self._clock.now()
        try:
            await self._journal.write(
                THE_WORKER,
                now,
                checkpoints=(Checkpoint(FOLLOWER, told, size),),
                rows=tuple(rows),
                due=tuple(Due(DueKind.CALLBACK, each.id, 0, now) for each in rows),
            )
        except Overtaken:
            # Another node told these heads.
            return False
        return True

    def _delivery(self, endpoint: CallbackEndpointRow, head: Head) -> CallbackDeliveryRow:
        now = self._clock.now()
        return CallbackDeliveryRow(
            id=self._randomness.new_id(DELIVERY_PREFIX),
            account_id=OPERATORS,
            person_id=None,
            endpoint_id=endpoint.id,
            url=None,
            type=str(CallbackType.LOG_HEAD),
            event_id=head_id(head.size),
            event_version=1,
            body=self._write_callback(_notification(head), head.at),
            created_at=head.at,
            queued_at=now,
            status=str(DeliveryStatus.PENDING),
            attempts=0,
            last_status=None,
            last_answer=None,
            error=None,
            next_attempt_at=now,
            ended_at=None,
        )


def _notification(head: Head) -> Notification:
    return Notification(
        CallbackType.LOG_HEAD,
        {
            "origin": head.origin,
            "size": head.size,
            "root": base64.b64encode(head.root).decode(),
            "at": head.at,
            "note": head.note,
        },
    )

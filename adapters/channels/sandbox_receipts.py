"""Pending receipts of the sandbox's provider, delivered after a short delay (C-61)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextvars import Context

from ..logs import logger

# Within a second, but after the answer that accepts the message, as with real providers.
DELAY_SECONDS = 0.25
# Messages beyond this number get no receipt, as with a provider in trouble.
MAX_PENDING = 10_000
_AT_ONCE = 64

Deliver = Callable[[], Awaitable[None]]

_log = logger("watchword.sandbox")


class PendingReceipts:
    """
    Delivers receipts in the background, many at once, `DELAY_SECONDS` after the acceptance.

    The sandbox never repeats a receipt: those pending at `close`, and those that the store could not
    record, are lost.
    """

    def __init__(self, most: int = MAX_PENDING) -> None:
        self._most = most
        self._pending: OrderedDict[str, Deliver] = OrderedDict()
        self._delivered = 0
        self._timer: asyncio.TimerHandle | None = None
        self._delivering: asyncio.Task[None] | None = None

    def add(self, provider_message_id: str, deliver: Deliver) -> None:
        """Deliver the receipt for a message soon."""
        if len(self._pending) >= self._most:
            return
        self._pending[provider_message_id] = deliver
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(DELAY_SECONDS, self._begin)

    def forget(self, provider_message_id: str) -> None:
        """Drop the pending receipt for a message."""
        self._pending.pop(provider_message_id, None)

    async def deliver_pending(self) -> int:
        """Deliver all pending receipts now; return how many there were."""
        delivered = self._delivered
        if self._pending:
            self._begin()
        if self._delivering is not None:
            await asyncio.wait([self._delivering])
        return self._delivered - delivered

    async def close(self) -> None:
        """Deliver no more receipts."""
        self._pending.clear()
        if self._timer is not None:
            self._timer.cancel()
        if self._delivering is not None:
            self._delivering.cancel()
            await asyncio.wait([self._delivering])

    def _begin(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._delivering is None or self._delivering.done():
            # In an empty context, because the request of the first send has ended.
            work = self._deliver_all()
            self._delivering = asyncio.get_running_loop().create_task(work, context=Context())

    async def _deliver_all(self) -> None:
        while self._pending:
            some: list[Awaitable[None]] = []
            while self._pending and len(some) < _AT_ONCE:
                _, deliver = self._pending.popitem(last=False)
                some.append(deliver())
            for ended in await asyncio.gather(*some, return_exceptions=True):
                if isinstance(ended, Exception):
                    _log.warning("sandbox_receipt_lost", exc_info=ended)
            self._delivered += len(some)

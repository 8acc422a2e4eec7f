"""The receipts that the sandbox's provider owes for what it took: they come by themselves (C-61)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextvars import Context

from ..logs import logger

# Within a second, and yet behind the answer that the message was taken, as with real providers.
DELAY_SECONDS = 0.25
# What comes on top of these gets no receipt, like the messages of a provider in trouble.
MAX_OWED = 10_000
_AT_ONCE = 64

ComeIn = Callable[[], Awaitable[None]]

_log = logger("watchword.sandbox")


class OwedReceipts:
    """
    Has receipts come in a moment after they are owed, many at once, and holds nobody up meanwhile.

    Those that nobody has heard when it is closed, or that the store could not take, are lost: the
    sandbox is no provider that repeats.
    """

    def __init__(self, most: int = MAX_OWED) -> None:
        self._most = most
        self._owed: OrderedDict[str, ComeIn] = OrderedDict()
        self._came = 0
        self._timer: asyncio.TimerHandle | None = None
        self._telling: asyncio.Task[None] | None = None

    def owe(self, provider_message_id: str, come_in: ComeIn) -> None:
        """Have the receipt for a message come in soon."""
        if len(self._owed) >= self._most:
            return
        self._owed[provider_message_id] = come_in
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(DELAY_SECONDS, self._begin)

    def forget(self, provider_message_id: str) -> None:
        """Owe no receipt any more for a message."""
        self._owed.pop(provider_message_id, None)

    async def settle(self) -> int:
        """Have all that is owed come in now, and give how many came."""
        came = self._came
        if self._owed:
            self._begin()
        if self._telling is not None:
            await asyncio.wait([self._telling])
        return self._came - came

    async def close(self) -> None:
        """Have nothing more come in."""
        self._owed.clear()
        if self._timer is not None:
            self._timer.cancel()
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.wait([self._telling])

    def _begin(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._telling is None or self._telling.done():
            # In no context of the send that came first: its request is over.
            work = self._all_come_in()
            self._telling = asyncio.get_running_loop().create_task(work, context=Context())

    async def _all_come_in(self) -> None:
        while self._owed:
            some: list[Awaitable[None]] = []
            while self._owed and len(some) < _AT_ONCE:
                _, come_in = self._owed.popitem(last=False)
                some.append(come_in())
            for ended in await asyncio.gather(*some, return_exceptions=True):
                if isinstance(ended, Exception):
                    _log.warning("sandbox_receipt_lost", exc_info=ended)
            self._came += len(some)

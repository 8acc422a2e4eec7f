"""The window of a session: the messages that are sent before an answer, and the queue for its places."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from enum import Enum

from ..servers import NotTakenError
from .outcomes import session_ended, too_many

# The messages that may wait for a session; further ones are refused.
MOST_WAITING = 100_000
# The waiting messages that are told something in one turn of the event loop: all would hold it up.
_AT_ONCE = 500


class _Turn(Enum):
    """What a waiting message is told."""

    PLACE = "it has a place"
    ENDED = "the session has ended"
    LATE = "it has waited too long"


class Window:
    """
    So many places; who has none waits in the order of arrival, for at most `patience` seconds.

    A place is free again when the answer came, and not when the sender stopped waiting for it: the SMSC
    counts the message until then.
    """

    def __init__(self, size: int, patience: float) -> None:
        self._free = size
        self._patience = patience
        # Each with the time at which it is late; the first is the oldest.
        self._waiting: OrderedDict[asyncio.Future[_Turn], float] = OrderedDict()
        self._late: asyncio.TimerHandle | None = None
        self._resume: asyncio.TimerHandle | None = None
        self._has_ended = False

    @property
    def waiting(self) -> int:
        """Return how many messages wait."""
        return len(self._waiting)

    async def take(self) -> None:
        """Take a place; raises `NotTakenError` if there is none in time, or the session ends first."""
        if self._has_ended:
            raise NotTakenError(session_ended())
        if self._free and not self._waiting and self._resume is None:
            self._free -= 1
            return
        if len(self._waiting) >= MOST_WAITING:
            raise NotTakenError(too_many())
        told = await self._turn()
        if told is not _Turn.PLACE:
            raise NotTakenError(session_ended() if told is _Turn.ENDED else too_many())

    def free(self) -> None:
        """Return a place, and hand it to the next that waits."""
        self._free += 1
        self._serve()

    def pause(self, seconds: float) -> None:
        """Hand out no place for so many seconds from now on."""
        if self._resume is not None:
            self._resume.cancel()
        self._resume = asyncio.get_running_loop().call_later(seconds, self._go_on)

    def end(self) -> None:
        """Hand out no place any more, and tell those that wait."""
        self._has_ended = True
        for timer in (self._resume, self._late):
            if timer is not None:
                timer.cancel()
        self._dismiss()

    async def _turn(self) -> _Turn:
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[_Turn] = loop.create_future()
        late_at = loop.time() + self._patience
        self._waiting[turn] = late_at
        if self._late is None:
            self._late = loop.call_at(late_at, self._dismiss_late)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.result() is _Turn.PLACE:
                # The place was handed over in the same moment: pass it on.
                self.free()
            self._waiting.pop(turn, None)
            raise

    def _go_on(self) -> None:
        self._resume = None
        self._serve()

    def _serve(self) -> None:
        if self._resume is not None or self._has_ended:
            return
        while self._free and self._waiting:
            if self._tell_first(_Turn.PLACE):
                self._free -= 1

    def _dismiss(self) -> None:
        for _ in range(min(_AT_ONCE, len(self._waiting))):
            self._tell_first(_Turn.ENDED)
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._dismiss)

    def _dismiss_late(self) -> None:
        """Tell those that waited too long, so that another channel account may send in time."""
        self._late = None
        loop = asyncio.get_running_loop()
        for _ in range(_AT_ONCE):
            if not self._waiting or next(iter(self._waiting.values())) > loop.time():
                break
            self._tell_first(_Turn.LATE)
        if self._waiting and not self._has_ended:
            late_at = next(iter(self._waiting.values()))
            self._late = loop.call_at(late_at, self._dismiss_late)

    def _tell_first(self, told: _Turn) -> bool:
        """Tell the first that waits; return whether somebody still listens."""
        turn, _ = self._waiting.popitem(last=False)
        if turn.done():
            return False
        turn.set_result(told)
        return True

"""The window of a session: the messages that are sent before an answer, and the queue for its places."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

from .outcomes import NotTakenError, session_ended, too_many

# The messages that may wait for a session; further ones are refused.
MOST_WAITING = 100_000
# The waiting messages that are told in one turn of the event loop that the session ended.
_AT_ONCE = 500


class Window:
    """
    So many places; who has none waits in the order of arrival.

    A place is free again when the answer came, and not when the sender stopped waiting for it: the SMSC
    counts the message until then.
    """

    def __init__(self, size: int) -> None:
        self._free = size
        self._waiting: OrderedDict[asyncio.Future[bool], None] = OrderedDict()
        self._resume: asyncio.TimerHandle | None = None
        self._has_ended = False

    @property
    def waiting(self) -> int:
        """Return how many messages wait."""
        return len(self._waiting)

    async def take(self) -> None:
        """Take a place; raises `NotTakenError` if there is none, or the session ends first."""
        if self._has_ended:
            raise NotTakenError(session_ended())
        if self._free and not self._waiting and self._resume is None:
            self._free -= 1
            return
        if len(self._waiting) >= MOST_WAITING:
            raise NotTakenError(too_many())
        turn = asyncio.get_running_loop().create_future()
        self._waiting[turn] = None
        try:
            has_place = await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.result():
                # The place was handed over in the same moment: pass it on.
                self.free()
            self._waiting.pop(turn, None)
            raise
        if not has_place:
            raise NotTakenError(session_ended())

    def free(self) -> None:
        """Return a place, and hand it to the next that waits."""
        self._free += 1
        self._serve()

    def pause(self, seconds: float) -> None:
        """Hand out no place for some seconds; a pause that has begun goes on as long."""
        if self._resume is not None:
            self._resume.cancel()
        self._resume = asyncio.get_running_loop().call_later(seconds, self._go_on)

    def end(self) -> None:
        """Hand out no place any more, and tell those that wait."""
        self._has_ended = True
        if self._resume is not None:
            self._resume.cancel()
        self._dismiss()

    def _go_on(self) -> None:
        self._resume = None
        self._serve()

    def _serve(self) -> None:
        if self._resume is not None or self._has_ended:
            return
        while self._free and self._waiting:
            turn, _ = self._waiting.popitem(last=False)
            if not turn.done():
                self._free -= 1
                turn.set_result(True)

    def _dismiss(self) -> None:
        """Tell those that wait, a few at a time, since all of them would hold up everything else."""
        for _ in range(min(_AT_ONCE, len(self._waiting))):
            turn, _ = self._waiting.popitem(last=False)
            if not turn.done():
                turn.set_result(False)
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._dismiss)

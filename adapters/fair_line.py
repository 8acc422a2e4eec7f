"""A line for one thing at a time, in which clients take turns, however many each has waiting."""

from __future__ import annotations

import asyncio
from collections import deque

from ..application.errors import UnavailableError


class FairLine:
    """
    Serve one client at a time, and every client that waits in turn.

    Where as many wait as may, whoever has most waiting gives its last place up to a client that has
    fewer: so no client's flood keeps another out, or has it wait behind the whole flood.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting = 0
        self._taken = False
        # The client whose turn is next comes first.
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}

    async def take(self, client: str) -> None:
        """
        Wait for a turn; `release` ends it.

        Raises `UnavailableError` where there is no place to wait, or the place went to another client.
        """
        if not self._taken:
            self._taken = True
            return
        if self._waiting >= self._most:
            self._make_room(client)
        mine = asyncio.get_running_loop().create_future()
        self._lines.setdefault(client, deque()).append(mine)
        self._waiting += 1
        try:
            await mine
        except asyncio.CancelledError:
            if mine.cancelled():
                self._leave(client, mine)
            elif mine.exception() is None:
                # The turn came in the same moment: it must not be lost.
                self.release()
            raise

    def release(self) -> None:
        """End a turn, and begin the next."""
        while self._lines:
            client = next(iter(self._lines))
            line = self._lines.pop(client)
            next_one = line.popleft()
            self._waiting -= 1
            if line:
                self._lines[client] = line
            if not next_one.done():
                next_one.set_result(None)
                return
        self._taken = False

    def _make_room(self, client: str) -> None:
        own = len(self._lines.get(client, ()))
        greediest = max(self._lines, key=lambda each: len(self._lines[each]))
        if len(self._lines[greediest]) <= own + 1:
            raise UnavailableError
        last = self._lines[greediest].pop()
        self._waiting -= 1
        if not last.done():
            last.set_exception(UnavailableError())

    def _leave(self, client: str, waiter: asyncio.Future[None]) -> None:
        line = self._lines.get(client)
        if line is None or waiter not in line:
            # It was passed over, or displaced, in the moment in which it gave up.
            return
        line.remove(waiter)
        self._waiting -= 1
        if not line:
            del self._lines[client]

"""A lock whose waiting clients take turns, however many calls each has waiting."""

from __future__ import annotations

import asyncio
from collections import deque

from ..application.errors import UnavailableError


class FairLine:
    """
    Runs one call at a time and serves waiting clients in turn.

    When the line is full, the client with most waiting calls loses its last place to a client with
    fewer. So a flood by one client neither keeps others out nor makes them wait behind all of it.
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

        Raises `UnavailableError` if the line is full, or if the place went to another client.
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
                # The turn came at the same moment; pass it on.
                self.release()
            raise

    def release(self) -> None:
        """End a turn and begin the next."""
        while self._lines:
            client = next(iter(self._lines))
            line = self._lines.pop(client)
            waiter = line.popleft()
            self._waiting -= 1
            if line:
                self._lines[client] = line
            if not waiter.done():
                waiter.set_result(None)
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
            # It was served or displaced at the moment of the cancellation.
            return
        line.remove(waiter)
        self._waiting -= 1
        if not line:
            del self._lines[client]

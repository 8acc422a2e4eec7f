"""A lock whose waiting clients take turns, however many calls each has waiting."""

from __future__ import annotations

import asyncio

from ..application.concurrency.owner_queue import OwnerQueue
from ..application.errors import UnavailableError


class FairLine:
    """
    Runs one call at a time and serves waiting clients in turn.

    When the line is full, the client with most waiting calls loses its last place to a client with
    fewer. So a flood by one client neither keeps others out nor makes them wait behind all of it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._taken = False
        self._queue = OwnerQueue()

    async def take(self, client: str) -> None:
        """
        Wait for a turn; `release` ends it.

        Raises `UnavailableError` if the line is full, or if the place went to another client.
        """
        if not self._taken:
            self._taken = True
            return
        if sum(map(len, self._queue.waiters.values())) >= self._most:
            self._make_room(client)
        turn = self._queue.add(client)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._queue.remove(client, turn)
            elif turn.exception() is None:
                # The turn began at the moment of the cancellation; pass it on.
                self.release()
            raise

    def release(self) -> None:
        """End a turn and begin the next."""
        self._taken = self._queue.serve_next()

    def _make_room(self, client: str) -> None:
        lines = self._queue.waiters
        own = len(lines.get(client, ()))
        greediest = max(lines, key=lambda each: len(lines[each]))
        if len(lines[greediest]) <= own + 1:
            raise UnavailableError
        last = lines[greediest].pop()
        if not last.done():
            last.set_exception(UnavailableError())

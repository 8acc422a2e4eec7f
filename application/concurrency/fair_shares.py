"""Fair shares: a limited number of places, of which no account can take them all (C-94)."""

from __future__ import annotations

import asyncio

from ..errors import UnavailableError
from .owner_queue import OwnerQueue


class FairShares:
    """
    Hands out places to owners, which are accounts.

    An owner has a right to a quarter of the places. It may hold more while no other owner waits and a
    quarter stays free. Running work cannot be interrupted, so these free places let the next owner
    start at once (D-134). Waiting owners are served in turn; each owner's waiters keep their order.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._share = max(1, places // 4)
        self._held: dict[str, int] = {}
        # None of the waiting owners may take a place now.
        self._queue = OwnerQueue()

    def take_now(self, owner: str) -> bool:
        """Take a place if the owner may have one at once; return whether it did."""
        if not self._may_take(owner):
            return False
        self._hold(owner)
        return True

    async def take(self, owner: str, patience: float) -> None:
        """
        Take a place, after a wait if necessary.

        Raises `UnavailableError` when none was free within `patience` seconds.
        """
        if self.take_now(owner):
            return
        try:
            async with asyncio.timeout(patience):
                await self._wait(owner)
        except TimeoutError:
            raise UnavailableError from None

    def release(self, owner: str) -> None:
        """Release a place, and hand it to the next waiter."""
        held = self._held.pop(owner) - 1
        if held:
            self._held[owner] = held
        self._free += 1
        if self._queue.waiters:
            self._serve()

    def _hold(self, owner: str) -> None:
        self._held[owner] = self._held.get(owner, 0) + 1
        self._free -= 1

    def _may_take(self, owner: str) -> bool:
        if self._held.get(owner, 0) < self._share:
            return self._free > 0
        others_wait = self._queue.waiters.keys() - {owner}
        return self._free > self._share and not others_wait

    async def _wait(self, owner: str) -> None:
        place = self._queue.add(owner)
        try:
            await place
        except BaseException:
            if place.done() and not place.cancelled():
                # The place was handed over in the same moment: pass it on.
                self.release(owner)
            elif self._queue.remove(owner, place):
                # Only this waiter may have blocked the owners behind it.
                self._serve()
            raise

    def _serve(self) -> None:
        while (owner := self._next()) is not None:
            if self._queue.serve(owner):
                self._hold(owner)

    def _next(self) -> str | None:
        return next((each for each in self._queue.waiters if self._may_take(each)), None)

"""
The bounds of a channel account: how many sends are under way at once, and how many begin in a second.

A send without room waits in a queue with an end. Sends of one channel account never wait for those of
another (C-69).
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

# The sends at once of a channel account whose limits name no number (C-69).
CONCURRENCY = 64
# The sends that wait for a channel account; the next one is rejected as `channel_busy`.
MOST_WAITING = 512
# The longest pause, in seconds, that a busy provider is granted.
LONGEST_PAUSE = 60.0


class Pace:
    """
    A token bucket for the sends of one second, without a timer.

    It computes when the next send may begin. An idle bucket fills up to one second's sends.
    """

    def __init__(self, per_second: float | None) -> None:
        self._interval = 1 / per_second if per_second else 0.0
        # A bucket that allows less than one send a second has room for one.
        self._room = max(1.0, self._interval) if per_second else 0.0
        # The time at which the bucket would be full again.
        self._full_at = 0.0
        self._paused_until = 0.0

    def delay(self, now: float) -> float:
        """Return the seconds until the next send may begin; take nothing."""
        return max(0.0, self._full_at + self._interval - self._room - now, self.paused_for(now))

    def take(self, now: float) -> None:
        """Take the token of the next send, which begins after the `delay`."""
        self._full_at = max(self._full_at, now) + self._interval

    def give_back(self) -> None:
        """Return the token of a send that does not begin after all."""
        self._full_at -= self._interval

    def pause(self, now: float, seconds: float) -> None:
        """Begin no send for some seconds, as a busy provider asks; a longer pause stays."""
        self._paused_until = max(self._paused_until, now + min(seconds, LONGEST_PAUSE))

    def paused_for(self, now: float) -> float:
        """Return the seconds that are left of the pause."""
        return max(0.0, self._paused_until - now)


class Bounds:
    """
    The room of one channel account for sends.

    `unpaced` says that no rate and no pause holds sends up, so that none has to ask for the time.
    """

    def __init__(self, concurrency: int | None = None, per_second: float | None = None) -> None:
        self.in_flight = 0
        self.unpaced = not per_second
        self._most = concurrency or CONCURRENCY
        self._per_second = per_second
        self._pace = Pace(per_second)
        self._queue: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        """The sends in the queue."""
        return len(self._queue)

    def enter_now(self) -> bool:
        """Take a place if one is free and no send has to wait; return whether it did."""
        if self.in_flight >= self._most or not self.unpaced:
            return False
        self.in_flight += 1
        return True

    async def enter(self, patience: float, clock: Callable[[], float]) -> bool:
        """
        Take a place, after a wait of at most `patience` seconds; return whether it did.

        A send that would have to wait longer for its rate is not kept waiting at all.
        """
        until = clock() + patience
        if not await self._place(patience):
            return False
        if self.unpaced:
            return True
        try:
            return await self._token(until, clock)
        except BaseException:
            self.leave()
            raise

    def leave(self) -> None:
        """Release a place, and hand it to the next in the queue."""
        self.in_flight -= 1
        if self._queue:
            self._serve()

    def adopt(self, concurrency: int | None, per_second: float | None) -> None:
        """Use other limits from now on, and end a pause; sends that are under way or wait stay."""
        self._most = concurrency or CONCURRENCY
        self._per_second = per_second
        self._pace = Pace(per_second)
        self.unpaced = not per_second
        self._serve()

    def pause(self, now: float, seconds: float) -> None:
        """Begin no send for as long as a busy provider asks, and for at most a minute."""
        self._pace.pause(now, seconds)
        self.unpaced = False

    async def _place(self, patience: float) -> bool:
        if self.in_flight < self._most:
            self.in_flight += 1
            return True
        if len(self._queue) >= MOST_WAITING:
            return False
        place = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        try:
            async with asyncio.timeout(patience):
                await place
        except BaseException as failure:
            self._give_up(place)
            if isinstance(failure, TimeoutError):
                return False
            raise
        return True

    def _give_up(self, place: asyncio.Future[None]) -> None:
        if place.done() and not place.cancelled():
            # The place was handed over in the same moment: pass it on.
            self.leave()
        elif place in self._queue:
            self._queue.remove(place)

    def _serve(self) -> None:
        while self._queue and self.in_flight < self._most:
            place = self._queue.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    async def _token(self, until: float, clock: Callable[[], float]) -> bool:
        pace, now = self._pace, clock()
        delay = pace.delay(now)
        if now + delay > until:
            self.leave()
            return False
        pace.take(now)
        try:
            while delay > 0:
                await asyncio.sleep(delay)
                # A provider may have asked for a pause meanwhile.
                now = clock()
                delay = pace.paused_for(now)
                if now + delay > until:
                    pace.give_back()
                    self.leave()
                    return False
        except BaseException:
            pace.give_back()
            raise
        self.unpaced = not self._per_second
        return True

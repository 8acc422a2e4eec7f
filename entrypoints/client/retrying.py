"""Decides whether a call is made again, and after which pause."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from .calls import Again
from .errors.base import (
    AnswerLostError,
    UnreachableError,
    UnreadableAnswerError,
    WatchwordError,
)
from .errors.refusals import (
    IdempotencyInProgressError,
    RateLimitedError,
    RequestTimeoutError,
    UnavailableError,
)

# Statuses by which a proxy says that it did not hear from the service.
_GATEWAY = (502, 503, 504)
_TOO_MANY = 429


class Pace(Struct, frozen=True):
    """
    How long a call may take, and how often it is made.

    `timeout` is the caller's deadline for all attempts and pauses, `attempt_timeout` that of each attempt,
    both in seconds. Pauses are drawn between 0 and a bound that doubles from `first_pause` to
    `longest_pause` (full jitter); the time of a Retry-After comes on top.
    """

    timeout: float
    attempt_timeout: float
    attempts: int
    first_pause: float = 0.25
    longest_pause: float = 5.0


class Attempts:
    """The attempts of one call, until its deadline."""

    def __init__(
        self,
        again: Again,
        pace: Pace,
        clock: Callable[[], float],
        random: Callable[[], float],
    ) -> None:
        self._again = again
        self._pace = pace
        self._clock = clock
        self._random = random
        self._ends = clock() + pace.timeout
        self._made = self._pauses = 0

    def seconds(self) -> float:
        """Return how long the next attempt may take."""
        return max(0.0, min(self._pace.attempt_timeout, self._ends - self._clock()))

    def pause_after(self, error: WatchwordError) -> float | None:
        """Return how many seconds to wait before another attempt, or None if there is none."""
        bound = min(self._pace.longest_pause, self._pace.first_pause * 2 ** min(self._pauses, 30))
        self._pauses += 1
        # The first attempt is in flight, so the next one is no new try. Its Retry-After is when the claim
        # of a dead process ends, and a live one answers long before (D-535).
        in_flight = isinstance(error, IdempotencyInProgressError)
        self._made += not in_flight
        if self._made >= self._pace.attempts or not may_repeat(self._again, error):
            return None
        asked: float | None = None if in_flight else getattr(error, "retry_after", None)
        pause = (asked or 0.0) + self._random() * bound
        return pause if self._clock() + pause < self._ends else None


def may_repeat(again: Again, error: WatchwordError) -> bool:
    """Return whether a call that ended so may be made once more without doing anything twice."""
    match error:
        case UnreachableError() | RateLimitedError() | RequestTimeoutError():
            return True
        case IdempotencyInProgressError():
            return again is Again.BY_KEY
        case AnswerLostError() | UnavailableError():
            # A store that was lost in the middle of a commit is `unavailable` too.
            return again is not Again.NEVER
        case UnreadableAnswerError():
            if error.status == _TOO_MANY:
                return True
            return error.status in _GATEWAY and again is not Again.NEVER
        case _:
            return False

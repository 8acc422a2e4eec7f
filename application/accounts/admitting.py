"""Whether an account may make a request now: it is not suspended (C-95), nor too busy (C-94)."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta

from ...domain.accounts.account import Account
from ...domain.errors import RateLimitedError
from ..bulk_lane import BulkLane
from ..ports.clock import Clock

_SECOND = timedelta(seconds=1)


class Admitting:
    """
    Counts the requests of the last second of every account that has a limit of them.

    Each process counts its own, since a count that all share would cost every request a write (D-137).
    It goes by the machine's clock. The bulk lane is notified of every request (D-132).
    """

    def __init__(self, clock: Clock, lane: BulkLane | None = None) -> None:
        self._clock = clock
        self._lane = lane or BulkLane()
        self._requests: dict[str, deque[datetime]] = {}

    def admit(self, account_id: str, account: Account) -> None:
        """Raise `AccountSuspendedError`, or `RateLimitedError` for a request too many."""
        self._lane.note_request()
        account.require_active()
        most = account.limits.requests_per_second
        if most is not None:
            self._count(account_id, most)
        elif self._requests:
            self._requests.pop(account_id, None)

    def _count(self, account_id: str, most: int) -> None:
        now = self._clock.real()
        requests = self._requests.get(account_id)
        if requests is None or requests.maxlen != most:
            requests = self._requests[account_id] = deque(requests or (), most)
        # A clock that was set back must keep nobody out.
        if len(requests) == most and abs(now - requests[0]) < _SECOND:
            raise RateLimitedError("requests_per_second", _SECOND)
        requests.append(now)

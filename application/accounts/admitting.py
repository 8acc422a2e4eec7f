"""Admit an account's requests: it must not be suspended (C-95) or above its rate limit (C-94)."""

from __future__ import annotations

from collections import deque
from datetime import datetime, timedelta

from ...domain.accounts.account import Account
from ...domain.errors import RateLimitedError
from ..concurrency.bulk_lane import BulkLane
from ..ports.clock import Clock

_SECOND = timedelta(seconds=1)


class Admitting:
    """
    Counts the requests of the last second for each account with a limit.

    Each process counts its own requests: a shared count would cost a write for each request (D-137). It
    uses the machine's clock. It notes every request for the bulk lane (D-132).
    """

    def __init__(self, clock: Clock, lane: BulkLane | None = None) -> None:
        self._clock = clock
        self._lane = lane or BulkLane()
        self._requests: dict[str, deque[datetime]] = {}

    def admit(self, account_id: str, account: Account) -> None:
        """Raise `AccountSuspendedError`, or `RateLimitedError` above the account's rate limit."""
        self._lane.note_request()
        if account.suspended_at is not None:
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
        # A clock that was set back must not block an account.
        if len(requests) == most and abs(now - requests[0]) < _SECOND:
            raise RateLimitedError("requests_per_second", _SECOND)
        requests.append(now)

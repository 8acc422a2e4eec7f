"""The state of channel accounts in this process alone: breakers, bounds, last answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from ...domain.accounts.channel_account import ChannelAccount, PriceList
from ..channel_accounts.health import ChannelHealth, LastOutcome
from ..concurrency.deadlines import Deadlines
from .bounds import Bounds
from .breaker import Breaker
from .outcomes import Answer, as_tried

# The part of the time that is left which an attempt has where another one may follow (C-69, D-294).
PART_OF_REST = 0.6
# The durations whose deadlines are kept; in practice, the limits of accounts name few.
MOST_DURATIONS = 64

# Returns whether a channel account has simulated recipients, whose silence is no fault of a provider.
Simulates = Callable[[ChannelAccount], bool]
# Returns whether the provider of a channel account ignores a reference that it has seen (C-68).
Deduplicates = Callable[[ChannelAccount], bool]


class Guard:
    """
    The breaker and the bounds of one channel account.

    `deadlines` are those of a send's first attempt that did not wait. With `trips`, sends without an
    answer open the breaker. With `repeats`, an unknown attempt is repeated once. `prices` is None for
    an account without any.
    """

    def __init__(
        self,
        channel_account_id: str,
        account: ChannelAccount,
        deadlines: Deadlines,
        *,
        trips: bool,
        repeats: bool,
    ) -> None:
        self.channel_account_id = channel_account_id
        self.account = account
        # The machine's seconds, which never go back.
        self.now = asyncio.get_running_loop().time
        self.deadlines = deadlines
        self.trips = trips
        self.repeats = repeats
        self.breaker = Breaker()
        self.bounds = Bounds(account.limits.concurrency, account.limits.rate_per_second)
        self.prices = _price_list(account)
        self.last: Answer | None = None
        # The machine's seconds of the last answer; of an acceptance, those at which its send began.
        self.last_at = 0.0
        # The two clocks never agree exactly, so the time of an answer is told as it was told first.
        self._told: tuple[float, datetime] | None = None

    def health_at(self, now: datetime) -> ChannelHealth:
        """Return the state of the channel account in this process (C-66)."""
        outcome = None
        if self.last is not None:
            line = as_tried(self.last, self.channel_account_id)
            if self._told is None or self._told[0] != self.last_at:
                since = timedelta(seconds=self.now() - self.last_at)
                self._told = self.last_at, now - since
            outcome = LastOutcome(status=line.status, code=line.code, at=self._told[1])
        return ChannelHealth(
            breaker=self.breaker.state, in_flight=self.bounds.in_flight, last_outcome=outcome
        )


class Guards:
    """
    The guards of the channel accounts that this process has sent through.

    `timeout` is the seconds of a whole send, with all its attempts. `turned` is called for each breaker that
    an operator's change closed. There is one guard for each record, so the records bound their number.
    """

    def __init__(
        self,
        timeout: float,
        simulates: Simulates,
        deduplicates: Deduplicates,
        turned: Callable[[Guard], None],
    ) -> None:
        self.timeout = timeout
        self._simulates = simulates
        self._deduplicates = deduplicates
        self._turned = turned
        self._guards: dict[str, Guard] = {}
        self._deadlines: dict[float, Deadlines] = {}

    def __iter__(self) -> Iterator[Guard]:
        return iter(tuple(self._guards.values()))

    def of(self, channel_account_id: str, account: ChannelAccount) -> Guard:
        """Return the guard of a channel account; changed settings begin with a closed breaker."""
        guard = self._guards.get(channel_account_id)
        if guard is None:
            guard = self._guards[channel_account_id] = Guard(
                channel_account_id,
                account,
                self._first_deadlines(account),
                trips=not self._simulates(account),
                repeats=self._repeats(account),
            )
        elif guard.account is not account:
            self._adopt(guard, account)
        return guard

    def find(self, channel_account_id: str) -> Guard | None:
        """Return the guard of a channel account, if this process has sent through it."""
        return self._guards.get(channel_account_id)

    def _adopt(self, guard: Guard, account: ChannelAccount) -> None:
        same = _settings(guard.account) == _settings(account)
        guard.account = account
        guard.prices = _price_list(account)
        if same:
            # The state was loaded again, or a test was recorded.
            return
        guard.deadlines = self._first_deadlines(account)
        guard.trips = not self._simulates(account)
        guard.repeats = self._repeats(account)
        guard.bounds.adopt(account.limits.concurrency, account.limits.rate_per_second)
        if guard.breaker.close():
            self._turned(guard)

    def _repeats(self, account: ChannelAccount) -> bool:
        """Return whether an unknown attempt is repeated; simulated silence would only come twice."""
        return self._deduplicates(account) and not self._simulates(account)

    def _first_deadlines(self, account: ChannelAccount) -> Deadlines:
        another = bool(account.failover) or self._repeats(account)
        seconds = attempt_seconds(account, self.timeout, another=another)
        deadlines = self._deadlines.get(seconds)
        if deadlines is None:
            if len(self._deadlines) >= MOST_DURATIONS:
                # The guards that use it go on doing so.
                del self._deadlines[next(iter(self._deadlines))]
            deadlines = self._deadlines[seconds] = Deadlines(seconds)
        return deadlines


def attempt_seconds(account: ChannelAccount, rest: float, *, another: bool) -> float:
    """Return the seconds of an attempt, of the `rest` of a send; `another` attempt may follow."""
    own = account.limits.timeout_seconds
    if own is not None:
        return min(own, rest)
    return PART_OF_REST * rest if another else rest


def _price_list(account: ChannelAccount) -> PriceList | None:
    return PriceList(account.prices) if account.prices else None


def _settings(account: ChannelAccount) -> tuple[object, ...]:
    return (
        account.enabled,
        account.limits,
        account.failover,
        account.sealings,
        account.sender,
        account.config,
    )

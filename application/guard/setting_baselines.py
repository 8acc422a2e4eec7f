"""Set the adaptive limits of countries, once a day (guard.md section 1, D-389)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from ...domain.decider import Decision
from ...domain.guard import BASELINE_DAYS, Guard, set_baselines
from ..caller import WORKER, Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Checkpoint, Overtaken
from ..ports.randomness import Randomness
from ..records.account import AccountRow
from ..statistics.asking import AskingStatistics, Question
from ..statistics.eras import FOLLOWER
from ..statistics.views import By, Group
from .guards import Guards

# The number in the store that says how far a day's work has come: the day, and the account of that day.
PROGRESS = "guard.baselines"
_MOST_ACCOUNTS = 10**8


class SettingBaselines:
    """
    Sets the limits of all accounts after midnight (UTC), from the statistics of the days before.

    It waits until the statistics have counted those days. If several nodes do it, an account's limits
    are set by one of them: the append moves the progress of the day, in which accounts have an order.
    """

    kind = None

    def __init__(
        self,
        journal: Journal,
        guards: Guards,
        statistics: AskingStatistics,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._guards = guards
        self._statistics = statistics
        self._randomness = randomness
        self._clock = clock
        self._done: date | None = None

    async def run_due(self) -> int:
        """Set what changes today, unless this process did; return how many accounts had changes."""
        today = self._clock.now().astimezone(UTC).date()
        midnight = datetime.combine(today, time(tzinfo=UTC))
        if self._done == today or not await self._counted_until(midnight):
            return 0
        place, changed = today.toordinal() * _MOST_ACCOUNTS, 0
        async for account in self._journal.every(AccountRow):
            place += 1
            changed += await self._set(account.id, midnight, place)
        self._done = today
        return changed

    async def _counted_until(self, midnight: datetime) -> bool:
        """Return whether the statistics have counted all events before a time."""
        position = await self._journal.position(FOLLOWER)
        following = await self._journal.read_log(position, 1)
        return all(each.event.at >= midnight for each in following)

    async def _set(self, account_id: str, midnight: datetime, place: int) -> bool:
        best: Mapping[str, int] | None = None
        by = Caller(account_id, WORKER, self._randomness.new_id("req"))
        while (reached := await self._journal.position(PROGRESS)) < place:
            if best is None:
                best = await self._best_days(account_id, midnight)
            decide = partial(_decided, day=midnight.date(), best=best)
            progress = Checkpoint(PROGRESS, reached, place)
            before = (await self._guards.load(account_id)).state
            try:
                after = await self._guards.change(by, account_id, decide, checkpoints=(progress,))
            except Overtaken:
                # Another node set the limits of this account, or of one before it.
                continue
            return after.baselines != before.baselines
        return False

    async def _best_days(self, account_id: str, midnight: datetime) -> Mapping[str, int]:
        """Return the most codes of each country that were verified on a day of the last days."""
        asked = Question(
            account_id=account_id,
            since=midnight - timedelta(days=BASELINE_DAYS),
            until=midnight,
            by=By.DAY,
            group=Group.COUNTRY,
        )
        best: dict[str, int] = {}
        for day in (await self._statistics.ask(asked)).data:
            if day.of is not None:
                best[day.of] = max(best.get(day.of, 0), day.verified)
        return best


def _decided(guard: Guard, at: datetime, *, day: date, best: Mapping[str, int]) -> Decision:
    return set_baselines(guard, at, day, best)

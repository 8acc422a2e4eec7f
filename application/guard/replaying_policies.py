"""Replay a guard policy over the recorded sends of an account (C-78, guard.md section 2)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import UTC, datetime, timedelta

from ...domain.guard import GuardPolicy, longest_window
from ..journal import Journal
from ..ports.number_plan import NumberPlan
from .budget_keys import BudgetKeys
from .replay_figures import ReplayReport
from .replayed_log import ReplayedLog

# Events that are read together.
_BATCH = 256
# Clocks of nodes differ, so that an event may stand behind a younger one.
_DISORDER = timedelta(hours=1)


class ReplayingPolicies:
    """Reads the log from the beginning of the longest window before the first send that counts."""

    def __init__(self, journal: Journal, keys: BudgetKeys, plan: NumberPlan) -> None:
        self._journal = journal
        self._keys = keys
        self._plan = plan
        # Each replay reads much of the log, so they take turns.
        self._turn = asyncio.Lock()

    async def report(
        self, account_id: str, policy: GuardPolicy, since: datetime, until: datetime
    ) -> ReplayReport:
        """Replay a policy, and return the report alone."""
        async with aclosing(self.replay(account_id, policy, since, until)) as replay:
            async for each in replay:
                if isinstance(each, ReplayReport):
                    return each
        raise AssertionError("A replay ends with its report.")

    async def replay(
        self, account_id: str, policy: GuardPolicy, since: datetime, until: datetime
    ) -> AsyncGenerator[float | ReplayReport, None]:
        """
        Yield how much of the log was read, from 0 to 1, and at last the report.

        The report is of the sends from `since` until before `until`. Verifications count up to the
        newest event.
        """
        async with self._turn:
            log = ReplayedLog(
                self._journal, self._keys, self._plan, account_id, policy, since, until
            )
            newest = await self._journal.newest()
            first = after = await self._position_at(_begin(since, policy), newest)
            while after < newest:
                batch = await self._journal.read_log(after, _BATCH)
                if not batch:
                    break
                for each in batch:
                    await log.take(each)
                after = batch[-1].position
                yield min(1.0, (after - first) / (newest - first))
            # Hundreds of thousands of prefixes would be sorted on the event loop (C-94).
            yield await asyncio.to_thread(log.report)

    async def _position_at(self, at: datetime, newest: int) -> int:
        """Return a position behind which all events of a time and later stand, found by halves."""
        low, high = 0, newest
        while low < high:
            middle = (low + high) // 2
            found = await self._journal.read_log(middle, 1)
            if not found or found[0].event.at >= at:
                high = middle
            else:
                low = found[0].position
        return low


def _begin(since: datetime, policy: GuardPolicy) -> datetime:
    """Return the time from which on the log matters to a send at `since`."""
    span = policy.verified_pass
    reach = max(longest_window(policy), span.span if span else timedelta(0))
    earliest = datetime.min.replace(tzinfo=UTC)
    # The calendar begins with the year 1.
    return since - min(reach + _DISORDER, since - earliest)

"""Check the budgets of the guard in an append, and count its sends (C-102, D-381)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from math import ceil

from attrs import define, field

from ....application.ports.event_store import BudgetsMoved, TallyCorrection
from ....domain.conditions import Condition, GiveBack, StartAnew, WithinBudget
from ....domain.guard import bucket_at, counts_until, reached_until

# Sends, and those of them that were verified: a `Tally`, which takes ten times as long to make.
Counts = tuple[int, int]
# Its row has the second from which no window reaches the bucket, too.
TallyRow = tuple[int, int, int]
# By subject and bucket; None for a bucket that is dropped.
TallyRows = dict[tuple[str, int], TallyRow | None]
_NONE: Counts = 0, 0


@define
class Tallies:
    """What the store counts for a budget, by bucket; `unverified` is the sum over all of them."""

    buckets: dict[int, Counts] = field(factory=dict)
    unverified: int = 0
    # That of the newest condition; all of a subject have one window.
    window: timedelta = timedelta()
    # The last answer to whether a rate of so many is reached. It holds until its time, or a change.
    reached: tuple[int, datetime] | None = None

    @classmethod
    def of(cls, buckets: dict[int, Counts]) -> Tallies:
        """Return the tallies of the buckets that a store read."""
        return cls(buckets, sum([sent - verified for sent, verified in buckets.values()]))

    def put(self, bucket: int, counts: Counts | None) -> None:
        """Replace the counts of a bucket, or drop it with None."""
        self.reached = None
        sent, verified = self.buckets.pop(bucket, _NONE)
        self.unverified -= sent - verified
        if counts is not None:
            self.buckets[bucket] = counts
            self.unverified += counts[0] - counts[1]


class Trial:
    """
    Changes tallies for one append after the other, each condition as it is checked.

    So each condition sees those before it. `keep` ends an append that is accepted, `undo` one that is not.
    """

    def __init__(self, tallies: dict[str, Tallies]) -> None:
        self._tallies = tallies
        self._before: dict[tuple[str, int], Counts | None] = {}

    def budget(self, condition: WithinBudget, conditions: Iterable[Condition]) -> None:
        """Count a send; raise `BudgetsMoved` for all `conditions` that do not hold, if it does not."""
        if self._reached(condition) is None:
            if not condition.over:
                self._count(condition)
                return
        elif condition.over:
            return
        self.undo()
        raise self._moved(conditions)

    def give_back(self, condition: GiveBack) -> None:
        """Count that a send was verified, unless its bucket is gone or counts no other."""
        tallies = self._tallies.get(condition.subject)
        if tallies is None:
            return
        bucket = bucket_at(condition.sent_at, condition.window)
        sent, verified = tallies.buckets.get(bucket, _NONE)
        if verified < sent:
            self._change(condition.subject, tallies, bucket)
            tallies.window = condition.window
            tallies.buckets[bucket] = sent, verified + 1
            tallies.unverified -= 1

    def start_anew(self, condition: StartAnew) -> None:
        """Drop all that a budget counted."""
        tallies = self._tallies.get(condition.subject)
        if tallies is not None:
            for bucket in tuple(tallies.buckets):
                self._change(condition.subject, tallies, bucket)
                tallies.put(bucket, None)

    def correct(self, correction: TallyCorrection) -> None:
        """Add to what a bucket counts, or take away; one that counts nothing is dropped."""
        subject, bucket, window, sent, verified = correction
        tallies = self._tallies.get(subject)
        if tallies is None:
            tallies = self._tallies[subject] = Tallies()
        tallies.window = window
        self._change(subject, tallies, bucket)
        known = tallies.buckets.get(bucket, _NONE)
        right = max(known[0] + sent, 0)
        counts = right, min(max(known[1] + verified, 0), right)
        tallies.put(bucket, counts if right else None)

    def keep(self, written: TallyRows) -> None:
        """Write what changed since the last append."""
        for key in self._before:
            subject, bucket = key
            tallies = self._tallies.get(subject)
            counts = None if tallies is None else tallies.buckets.get(bucket)
            if tallies is None or counts is None:
                written[key] = None
                self._drop_empty(subject)
            else:
                written[key] = (*counts, _until(bucket, tallies.window))
        self._before.clear()

    def undo(self) -> None:
        """Put everything back as the last append left it."""
        for (subject, bucket), before in self._before.items():
            self._tallies[subject].put(bucket, before)
        for subject, _ in self._before:
            self._drop_empty(subject)
        self._before.clear()

    def _drop_empty(self, subject: str) -> None:
        tallies = self._tallies.get(subject)
        if tallies is not None and not tallies.buckets:
            del self._tallies[subject]

    def _reached(self, condition: WithinBudget) -> datetime | None:
        tallies = self._tallies.get(condition.subject)
        # Most budgets have room, which the sum shows without a look at the buckets.
        if tallies is None or tallies.unverified < condition.rate.count:
            return None
        most, at = condition.rate.count, condition.at
        # Floods ask many times.
        if (known := tallies.reached) is not None and known[0] == most and at < known[1]:
            return known[1]
        until = reached_until(tallies.buckets, condition.rate, at)
        tallies.reached = None if until is None else (most, until)
        return until

    def _count(self, condition: WithinBudget) -> None:
        if not condition.counted:
            return
        tallies = self._tallies.get(condition.subject)
        if tallies is None:
            tallies = self._tallies[condition.subject] = Tallies()
        tallies.window = window = condition.rate.window
        bucket = bucket_at(condition.at, window)
        self._change(condition.subject, tallies, bucket)
        sent, verified = tallies.buckets.get(bucket, _NONE)
        tallies.buckets[bucket] = sent + 1, verified
        tallies.unverified += 1

    def _change(self, subject: str, tallies: Tallies, bucket: int) -> None:
        """Remember what a bucket counted before the append, unless the append changed it already."""
        tallies.reached = None
        key = subject, bucket
        if key not in self._before:
            self._before[key] = tallies.buckets.get(bucket)

    def _moved(self, conditions: Iterable[Condition]) -> BudgetsMoved:
        """Return the refusal with all budgets that are not as expected."""
        reached: dict[str, datetime] = {}
        free: set[str] = set()
        for each in conditions:
            if isinstance(each, WithinBudget):
                until = self._reached(each)
                if until is None and each.over:
                    free.add(each.rule)
                elif until is not None and not each.over:
                    reached[each.rule] = max(until, reached.get(each.rule, until))
                elif until is None:
                    self._count(each)
            elif isinstance(each, GiveBack):
                self.give_back(each)
            elif isinstance(each, StartAnew):
                self.start_anew(each)
        return BudgetsMoved(reached, frozenset(free))


def forget_tallies(tallies: dict[str, Tallies], before: datetime) -> int:
    """Drop the buckets that no window reaches any more at a time; return how many."""
    forgotten = 0
    for subject, each in tuple(tallies.items()):
        for bucket in tuple(each.buckets):
            if counts_until(bucket, each.window) <= before:
                each.put(bucket, None)
                forgotten += 1
        if not each.buckets:
            del tallies[subject]
    return forgotten


@lru_cache(maxsize=1024)
def _until(bucket: int, window: timedelta) -> int:
    return ceil(counts_until(bucket, window).timestamp())

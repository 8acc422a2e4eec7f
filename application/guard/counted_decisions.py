"""
The decisions of the guard, counted in memory until their minute ends (guard.md section 1, D-395).

An attack makes one decision a request. The log gets one event a rule, subject, minute and process, so
that it is not the attacker's lever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from attrs import define

from ...domain.guard import OTHER, Rule, Subject, Verdict
from ...domain.rate_limit import Rate
from ..ports.clock import Clock
from ..ports.randomness import Randomness

MOST_SUBJECTS = 10_000


class _Key(NamedTuple):
    minute: datetime
    verdict: Verdict
    account_id: str
    rule: Rule
    subject_key: str


@define
class Counted:
    """
    The decisions of one verdict and rule about one subject in one minute.

    `id` is that of the stream that will record them. `since` and `until` are the times of the first and
    the last. `limit` is the one that was reached at the first.
    """

    id: str
    verdict: Verdict
    account_id: str
    rule: Rule
    subject: Subject
    limit: Rate | None
    since: datetime
    until: datetime
    count: int = 0


class CountedDecisions:
    """
    Counts refused and flagged sends by account, rule, subject and minute; counting never waits.

    It keeps at most `most` subjects, with those of ended minutes that are not recorded yet. More are
    counted as `OTHER` of their account and rule. Of these it keeps as many again, and then counts
    nothing more, so a count is a lower bound.
    """

    def __init__(self, randomness: Randomness, clock: Clock, most: int = MOST_SUBJECTS) -> None:
        self._randomness = randomness
        self._clock = clock
        self._most = most
        self._counts: dict[_Key, Counted] = {}
        self._ended: dict[str, Counted] = {}

    def refused(
        self, account_id: str, rule: Rule, subject: Subject, limit: Rate | None = None
    ) -> None:
        """Count a send or a guess that a rule refused; `limit` is the one that was reached, if any."""
        self._count(Verdict.REFUSED, account_id, rule, subject, limit)

    def flagged(
        self, account_id: str, rule: Rule, subject: Subject, limit: Rate | None = None
    ) -> None:
        """Count a send or a guess that a rule would have refused, but only put on the record."""
        self._count(Verdict.FLAGGED, account_id, rule, subject, limit)

    def ended(self, *, with_this_minute: bool = False) -> Sequence[Counted]:
        """Return what was counted in minutes that have ended, until `recorded` is told of it."""
        this_minute = minute_of(self._clock.now())
        for key in [
            each for each in self._counts if with_this_minute or each.minute != this_minute
        ]:
            counted = self._counts.pop(key)
            self._ended[counted.id] = counted
        return tuple(self._ended.values())

    def recorded(self, counted: Iterable[Counted]) -> None:
        """Forget decisions that are on the log."""
        for each in counted:
            self._ended.pop(each.id, None)

    def _count(
        self, verdict: Verdict, account_id: str, rule: Rule, subject: Subject, limit: Rate | None
    ) -> None:
        now = self._clock.now()
        key = _Key(minute_of(now), verdict, account_id, rule, subject.key)
        counted = self._counts.get(key)
        if counted is None:
            kept = len(self._counts) + len(self._ended)
            if kept >= self._most and subject is not OTHER:
                self._count(verdict, account_id, rule, OTHER, limit)
                return
            if kept >= 2 * self._most:
                return
            identity = self._randomness.new_id("dcs")
            counted = Counted(identity, verdict, account_id, rule, subject, limit, now, now)
            self._counts[key] = counted
        counted.count += 1
        counted.until = max(counted.until, now)


def minute_of(at: datetime) -> datetime:
    """Return the minute of a time."""
    return at.replace(second=0, microsecond=0)

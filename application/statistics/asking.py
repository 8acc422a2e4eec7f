"""Answer questions for the statistics (C-80, C-103)."""

from __future__ import annotations

from asyncio import to_thread
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import evolve, frozen

from ...domain.errors import FieldProblem, ValidationFailedError
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.listings import AtLeast, Below, Equals, Start, Sum, TooManyTotals, Totals
from ..records.read_model import Row
from ..records.statistics import (
    BUCKETS,
    COUNTS,
    StatisticsCostRow,
    StatisticsRefusalsRow,
    StatisticsRow,
    StatisticsUnfinishedRow,
)
from ..searches import narrows
from .eras import ERA, FOLLOWER, era_at
from .figures import figures_in
from .views import By, Group, StatisticsView

Condition = Equals | AtLeast | Below

# The longest ranges, and the most rows of an answer.
LONGEST = {By.HOUR: timedelta(days=92), By.DAY: timedelta(days=1_100)}
MOST_ROWS = 10_000
# The ranges of questions that name none.
USUAL = {By.HOUR: timedelta(days=1), By.DAY: timedelta(days=30)}
_SECOND, _MICROSECOND = timedelta(seconds=1), timedelta(microseconds=1)
# A range without a beginning does not begin before the first time that there is.
_FIRST = datetime.min.replace(tzinfo=UTC)
# The characters of the stored time of a day and of an hour.
_LENGTH = {By.DAY: 10, By.HOUR: 13}
_WHOLE = 0
_COLUMNS = {
    Group.COUNTRY: ("send", "country"),
    Group.TEMPLATE: ("send", "template_id"),
    Group.CHANNEL: ("channel", "channel"),
    Group.PROVIDER: ("channel", "provider"),
    Group.CHANNEL_ACCOUNT: ("channel", "channel_account_id"),
}
TOO_MANY = f"has more than {MOST_ROWS:,} rows in this range; ask for less"


@frozen(kw_only=True)
class Question:
    """
    Which figures are asked for: `since` is in the range, `until` is not.

    Without an account, those of all accounts together.
    """

    account_id: str | None = narrows("Those of one account, by its id or name.")
    since: datetime | None = narrows(
        "Sends of the hours that begin then or later. ISO 8601; without a zone, UTC."
    )
    until: datetime | None = narrows(
        "Sends of the hours that begin before then. ISO 8601; without a zone, UTC."
    )
    by: By = narrows("A row for each hour, or for each day in UTC.", default=By.HOUR)
    group: Group | None = narrows("A row for each of these, too.")


@frozen
class _Asked:
    """Sums of rows, with the beginning of their range and the time at which they are told."""

    totals: Totals
    since: datetime
    now: datetime


class AskingStatistics:
    """Answers questions from the rows that the follower writes, all of one moment."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def ask(self, question: Question) -> StatisticsView:
        """
        Return the figures of a range, the oldest first.

        Raises `ValidationFailedError` for a range that is empty, too long, or has too many rows.
        """
        asked = await self._asked(question, _LENGTH[question.by])
        return await _shown(asked, question)

    async def ask_whole(self, question: Question, *, seconds: bool = True) -> StatisticsView:
        """
        Return the figures of a whole range: one row, or one for each member of the group (D-516).

        `by` says how long the range may be, and usually is. Without `seconds`, no row has seconds to verify,
        which halves the time of an answer. Raises `ValidationFailedError` as `ask` does.
        """
        return await _shown(await self._asked(question, _WHOLE, seconds=seconds), question)

    async def ask_over_time(self, question: Question) -> tuple[StatisticsView, StatisticsView]:
        """Return what `ask` and `ask_whole` would, of one moment; the question has no group."""
        asked = await self._asked(question, _LENGTH[question.by])
        return await _shown(asked, question), await _shown(asked, question, whole=True)

    async def _asked(self, question: Question, length: int, *, seconds: bool = True) -> _Asked:
        now = self._clock.now()
        since, until = _range(question, now)
        while True:
            era = await self._journal.position(ERA)
            sums = _sums(question, since, until, era_at(era), now, length)
            if not seconds:
                sums = (evolve(sums[0], add=COUNTS), *sums[1:])
            try:
                # Each row of the answer has few parts: a currency, or a second's expiries.
                totals = await self._journal.totals(FOLLOWER, sums, 5 * MOST_ROWS)
            except TooManyTotals:
                raise ValidationFailedError([FieldProblem("from", TOO_MANY)]) from None
            # A rebuild in between would have mixed the rows of two eras.
            if era == await self._journal.position(ERA):
                return _Asked(totals, since, now)


async def _shown(asked: _Asked, question: Question, *, whole: bool = False) -> StatisticsView:
    # Thousands of rows would hold up the event loop for a tenth of a second (C-94).
    data = await to_thread(
        figures_in,
        asked.totals,
        grouped=question.group is not None,
        whole=whole,
        since=asked.since,
        now=asked.now,
    )
    if len(data) > MOST_ROWS:
        raise ValidationFailedError([FieldProblem("from", TOO_MANY)])
    return StatisticsView(data, asked.totals.position, question.group)


def _range(question: Question, now: datetime) -> tuple[datetime, datetime]:
    """Return the range that is asked for; one without a beginning has the usual length."""
    # Without an end, this hour is in the range, although it may have begun just now.
    by, until = question.by, question.until or now + _MICROSECOND
    since = question.since
    if since is None:
        since = max(until, _FIRST + USUAL[by]) - USUAL[by]
        since = since.replace(minute=0, second=0, microsecond=0)
        if by is By.DAY:
            since = since.replace(hour=0)
    if since >= until:
        raise ValidationFailedError([FieldProblem("to", "must be later than from")])
    if until - since > LONGEST[by]:
        most = LONGEST[by].days
        longer = ", or days (by=day)" if by is By.HOUR else ""
        raise ValidationFailedError(
            [FieldProblem("from", f"must be at most {most} days before to; ask for less{longer}")]
        )
    return since, until


def _sums(
    question: Question,
    since: datetime,
    until: datetime,
    era: datetime,
    now: datetime,
    length: int,
) -> Sequence[Sum[Any]]:
    part, column = ("send", None) if question.group is None else _COLUMNS[question.group]
    at = Start("at", length)
    keys = (at,) if column is None else (at, column)
    # A refused send had no channel yet; of its place, a refusal tells the country alone.
    refused_by = keys if question.group is Group.COUNTRY else (at,)
    own = () if question.account_id is None else (Equals("account_id", question.account_id),)
    where = (Equals("era", era), *own, AtLeast("at", since), Below("at", until))
    of_part = (Equals("part", part), *where)
    second = now.replace(microsecond=0)
    later = second + _SECOND
    current = (AtLeast("expires_at", second), Below("expires_at", later))

    def asked(rows: type[Row], where: tuple[Condition, ...], by: Any, *add: str) -> Sum[Any]:
        return Sum(rows=rows, where=where, by=by, add=add)

    return (
        asked(StatisticsRow, of_part, keys, *COUNTS, *BUCKETS),
        asked(StatisticsUnfinishedRow, (*of_part, AtLeast("expires_at", later)), keys, "number"),
        asked(StatisticsUnfinishedRow, (*of_part, *current), (*keys, "offsets"), "number"),
        asked(StatisticsCostRow, of_part, (*keys, "currency", "basis"), "whole", "fraction"),
        asked(StatisticsRefusalsRow, where, refused_by, "refused"),
    )

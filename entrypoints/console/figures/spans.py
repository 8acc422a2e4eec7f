"""The span of time that the overview shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from attrs import evolve, frozen

from ....application.statistics.asking import Question
from ....application.statistics.views import By, FiguresView, Group, SecondsToVerify
from ....domain.errors import FieldProblem, ValidationFailedError
from ...wire.searches import read_query, statistics_question

TODAY, MONTH = "today", "30d"
PRESETS = {TODAY: "Today", MONTH: "Last 30 days"}
_DAYS_OF_MONTH = 30
# Longer spans have a point for each day.
_LONGEST_BY_HOUR = timedelta(days=3)
_STEP = {By.HOUR: timedelta(hours=1), By.DAY: timedelta(days=1)}
_NOTHING = FiguresView(
    at=datetime.min.replace(tzinfo=UTC),
    of=None,
    sent=0,
    accepted=0,
    delivered=0,
    verified=0,
    expired=0,
    blocked=0,
    refused=0,
    test=0,
    seconds_to_verify=SecondsToVerify(None, None),
    cost=(),
)


@frozen(kw_only=True)
class Span:
    """The hours or days from `since` until before `until`; `preset` is None for times that were given."""

    preset: str | None
    since: datetime
    until: datetime
    by: By

    @property
    def name(self) -> str:
        """The name of the span."""
        if self.preset is not None:
            return PRESETS[self.preset]
        return f"{_named(self.since)} to {_named(self.until)}"

    @property
    def end(self) -> datetime | None:
        """The last hour of today, which may be still to come; None for a span that is over."""
        return self.since + timedelta(hours=23) if self.preset == TODAY else None

    @property
    def step(self) -> str:
        """The length of a point of the span: an hour or a day."""
        return str(self.by)

    def question(self, account_id: str | None, group: Group | None = None) -> Question:
        """Return the question for the figures of the span."""
        return Question(
            account_id=account_id, since=self.since, until=self.until, by=self.by, group=group
        )

    def points(self, data: Sequence[FiguresView]) -> tuple[FiguresView, ...]:
        """Return the figures of each hour or day, also of those in which nothing was sent."""
        found = {each.at: each for each in data}
        at = _floored(self.since, self.by)
        points: list[FiguresView] = []
        while at < self.until:
            points.append(found.get(at) or _nothing_at(at))
            at += _STEP[self.by]
        return tuple(points)


def preset(name: str, now: datetime) -> Span:
    """Return the span of today, or of thirty days that end with today, in UTC."""
    midnight = _floored(now, By.DAY)
    # This moment is in the span, although the hour may have begun with it.
    until = now + timedelta(microseconds=1)
    if name == MONTH:
        since = midnight - timedelta(days=_DAYS_OF_MONTH - 1)
        return Span(preset=name, since=since, until=until, by=By.DAY)
    return Span(preset=name, since=midnight, until=until, by=By.HOUR)


def span_asked(query: Mapping[str, str], now: datetime) -> Span:
    """
    Return the span that a query names: by `range`, or by the times that the statistics take.

    Raises `ValidationFailedError` for what cannot be read. The statistics refuse an empty span.
    """
    named = query.get("range") or TODAY
    if named not in PRESETS:
        raise ValidationFailedError([FieldProblem("range", f"must be one of {', '.join(PRESETS)}")])
    given = {name: query[name] for name in ("from", "to", "by") if query.get(name)}
    if "from" not in given:
        return preset(named, now)
    asked = read_query(given, Question, statistics_question)
    since = asked.since or now
    until = asked.until or now + timedelta(microseconds=1)
    by = By.HOUR if until - since <= _LONGEST_BY_HOUR else By.DAY
    return Span(preset=None, since=since, until=until, by=asked.by if "by" in given else by)


def _nothing_at(at: datetime) -> FiguresView:
    return evolve(_NOTHING, at=at)


def _floored(at: datetime, by: By) -> datetime:
    hour = at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return hour if by is By.HOUR else hour.replace(hour=0)


def _named(at: datetime) -> str:
    at = at.astimezone(UTC)
    return f"{at:%Y-%m-%d}" if at == _floored(at, By.DAY) else f"{at:%Y-%m-%d %H:%M}"

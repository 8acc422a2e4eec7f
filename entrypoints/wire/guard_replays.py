"""A guard policy to replay, and the report on it, in the documented spelling (C-78)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, TypeVar

import attrs
from attrs import frozen

from ...application.guard.replay_figures import Figures, ReplayReport
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.guard import policy_problems
from .guard_policies import GuardPolicyBody
from .searches import renamed
from .structuring import structure

T = TypeVar("T", bound="ReplayTimes")

# The documented names of two fields.
REPLAY_TIMES = {"since": "from", "until": "to"}


@frozen(kw_only=True)
class ReplayTimes:
    """A replay is over the sends from `since` until before `until`; None is now."""

    since: datetime
    until: datetime | None = None


@frozen(kw_only=True)
class ReplayBody(ReplayTimes):
    """The body that replays a policy."""

    account: str | None = None
    policy: GuardPolicyBody


def read_replay(body: Any) -> ReplayBody:
    """Read what to replay; raises `ValidationFailedError`."""
    if not isinstance(body, dict):
        return structure(body, ReplayBody)
    named = {name: body[name] for name in ("account", "policy") if name in body}
    named |= {own: body[name] for own, name in REPLAY_TIMES.items() if name in body}

    def read() -> ReplayBody:
        read = read_times(named, ReplayBody)
        if problems := policy_problems(read.policy.policy):
            raise ValidationFailedError(
                [FieldProblem(f"policy.{each.field}", each.message) for each in problems]
            )
        return read

    return renamed(REPLAY_TIMES, read)


def read_times(given: dict[str, Any], kind: type[T]) -> T:
    """Read the times of a replay and what stands beside them; raises `ValidationFailedError`."""
    times = structure(given, kind)
    if times.until is not None and times.until <= times.since:
        raise ValidationFailedError([FieldProblem("until", "must be later than from")])
    return times


@frozen(kw_only=True)
class _Figures:
    sends: int
    refused: int
    refused_that_verified: int


@frozen(kw_only=True)
class DayOfReplay(_Figures):
    """The sends of a day, in UTC."""

    day: str


@frozen(kw_only=True)
class CountryOfReplay(_Figures):
    """The sends to a country."""

    country: str | None


@frozen(kw_only=True)
class PrefixOfReplay(_Figures):
    """The sends to the numbers of a prefix."""

    prefix: str


@frozen(kw_only=True)
class GuardReplay(_Figures):
    """The sends that a policy was replayed over, and those of them that it would have refused."""

    by_day: tuple[DayOfReplay, ...]
    by_country: tuple[CountryOfReplay, ...]
    by_prefix: tuple[PrefixOfReplay, ...]
    inexact_because_refused: int

    @classmethod
    def of(cls, report: ReplayReport) -> GuardReplay:
        """Return a report as answers show it."""
        return cls(
            **_counts(report.whole),
            by_day=tuple(
                DayOfReplay(day=str(day), **_counts(each)) for day, each in report.by_day.items()
            ),
            by_country=tuple(
                CountryOfReplay(country=country, **_counts(each))
                for country, each in report.by_country.items()
            ),
            by_prefix=tuple(
                PrefixOfReplay(prefix=prefix, **_counts(each))
                for prefix, each in report.by_prefix.items()
            ),
            inexact_because_refused=report.inexact_because_refused,
        )


def _counts(figures: Figures) -> dict[str, int]:
    return attrs.asdict(figures)

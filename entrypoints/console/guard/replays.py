"""A replay of a policy as the console asks for it, and what it found."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import frozen

from ....application.guard.replay_figures import Figures, ReplayReport
from ..figures.texts import percent

# Prefixes and countries with a row; the command prints all of them.
MOST_ROWS = 15


@frozen(kw_only=True)
class ReplayPart:
    """Of a day, a country or a prefix, the sends that pass, and those that would be refused."""

    name: str
    figures: Figures

    @property
    def passed(self) -> int:
        """Those that the policy lets through."""
        return self.figures.sends - self.figures.refused

    @property
    def refused_unverified(self) -> int:
        """The refused ones whose codes nobody verified later: what the policy is for."""
        return self.figures.refused - self.figures.refused_that_verified

    @property
    def refused_part(self) -> str:
        """The refused part of all sends."""
        return percent(self.figures.refused, self.figures.sends)


@frozen(kw_only=True)
class ReplayView:
    """
    What a policy would have refused: all together, by day, by country and by prefix.

    `more_prefixes` and `more_countries` have no row.
    """

    whole: ReplayPart
    days: tuple[ReplayPart, ...]
    countries: tuple[ReplayPart, ...]
    prefixes: tuple[ReplayPart, ...]
    more_countries: int
    more_prefixes: int
    inexact: int

    @classmethod
    def of(cls, report: ReplayReport) -> ReplayView:
        """Return the view of a report."""
        countries = [
            ReplayPart(name=country or "no country", figures=each)
            for country, each in report.by_country.items()
        ]
        prefixes = [
            ReplayPart(name=prefix, figures=each) for prefix, each in report.by_prefix.items()
        ]
        return cls(
            whole=ReplayPart(name="all", figures=report.whole),
            days=tuple(
                ReplayPart(name=day.isoformat(), figures=each)
                for day, each in report.by_day.items()
            ),
            countries=tuple(countries[:MOST_ROWS]),
            prefixes=tuple(prefixes[:MOST_ROWS]),
            more_countries=len(countries[MOST_ROWS:]),
            more_prefixes=len(prefixes[MOST_ROWS:]),
            inexact=report.inexact_because_refused,
        )


def replay_body(policy: Mapping[str, Any], times: Mapping[str, str]) -> dict[str, Any]:
    """Return the body that asks for a replay, as its route takes it; an empty end is now."""
    given = {name: text for name, text in times.items() if text}
    return {"policy": policy, **given}


def usual_beginning(now: datetime) -> str:
    """Return the first moment of the usual replay, for a field: midnight, a week ago, in UTC."""
    midnight = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return f"{midnight - timedelta(days=7):%Y-%m-%dT%H:%M}"

"""The figures of a replayed policy: what it would have refused, by day, country and prefix (C-78)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from attrs import define, field, frozen


@define
class Figures:
    """The sends of a group, those that the policy would have refused, and of them the verified ones."""

    sends: int = 0
    refused: int = 0
    refused_that_verified: int = 0


@frozen(kw_only=True)
class ReplayReport:
    """
    What a policy would have refused of the recorded sends.

    `inexact_because_refused` is the number of sends that the guard refused at the time, at least: they
    are on no record, so the replay counts nothing for them. The country of a send without one is None.
    """

    whole: Figures
    by_day: Mapping[date, Figures]
    by_country: Mapping[str | None, Figures]
    by_prefix: Mapping[str, Figures]
    inexact_because_refused: int


class Place:
    """The figures to which one send belongs."""

    def __init__(self, *figures: Figures) -> None:
        self._figures = figures
        for each in figures:
            each.sends += 1

    def refuse(self) -> None:
        """Count the send as refused."""
        for each in self._figures:
            each.refused += 1

    def verify(self) -> None:
        """Count the refused send as one whose code was verified later."""
        for each in self._figures:
            each.refused_that_verified += 1


@define
class ReplayFigures:
    """Counts the sends of a replay."""

    whole: Figures = field(factory=Figures)
    by_day: dict[date, Figures] = field(factory=dict)
    by_country: dict[str | None, Figures] = field(factory=dict)
    by_prefix: dict[str, Figures] = field(factory=dict)
    inexact: int = 0

    def place(self, day: date, country: str | None, prefix: str | None) -> Place:
        """Count a send, and return where it belongs."""
        figures = [
            self.whole,
            self.by_day.setdefault(day, Figures()),
            self.by_country.setdefault(country, Figures()),
        ]
        if prefix is not None:
            figures.append(self.by_prefix.setdefault(prefix, Figures()))
        return Place(*figures)

    def report(self, most_prefixes: int) -> ReplayReport:
        """Return the figures; of the prefixes, those with the most refused sends."""
        prefixes = sorted(
            ((prefix, each) for prefix, each in self.by_prefix.items() if each.refused),
            key=lambda found: (-found[1].refused, found[0]),
        )
        return ReplayReport(
            whole=self.whole,
            by_day=dict(sorted(self.by_day.items())),
            by_country=dict(sorted(self.by_country.items(), key=lambda found: -found[1].sends)),
            by_prefix=dict(prefixes[:most_prefixes]),
            inexact_because_refused=self.inexact,
        )

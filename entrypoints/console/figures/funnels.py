"""From a send to its verification: how many codes came how far."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from ....application.statistics.views import FiguresView
from .texts import bar_width, cost_text, percent, seconds_text

_NONE = "none"


@frozen
class Step:
    """A step of a funnel: its colour, its count, and its part of the sends in percent and as a text."""

    name: str
    ink: str
    count: int
    width: float
    part: str


@frozen
class Fact:
    """A figure beside a funnel; `tone` says how it is to be taken."""

    name: str
    text: str
    tone: str = ""


@frozen
class Funnel:
    """The outcomes of a span's codes; `steps` is empty if nothing was sent."""

    steps: tuple[Step, ...]
    facts: tuple[Fact, ...]

    @property
    def sent(self) -> int:
        """How many codes were sent."""
        return self.steps[0].count if self.steps else 0


def funnel(whole: Sequence[FiguresView]) -> Funnel:
    """Return the funnel of a whole span; `whole` has one row, or none if nothing happened."""
    if not whole:
        return Funnel((), ())
    (figures,) = whole
    named = (
        ("Sent", "sent", figures.sent),
        ("Delivered", "delivered", figures.delivered),
        ("Verified", "verified", figures.verified),
    )
    steps = tuple(
        Step(name, ink, count, bar_width(count, figures.sent), percent(count, figures.sent))
        for name, ink, count in named
    )
    return Funnel(steps, tuple(_facts(figures)))


def _facts(figures: FiguresView) -> list[Fact]:
    """Return the other figures; those that are usual are told also when they are zero."""
    seconds = figures.seconds_to_verify
    facts = [
        Fact("Half verified within", seconds_text(seconds.p50) or _NONE),
        Fact("95 % verified within", seconds_text(seconds.p95) or _NONE),
        Fact("Expired", _with_part(figures.expired, figures.sent)),
        Fact(
            "Blocked", _with_part(figures.blocked, figures.sent), "bad" if figures.blocked else ""
        ),
        Fact("Refused by the guard", f"{figures.refused:,}", "warn" if figures.refused else ""),
    ]
    if figures.test:
        facts.append(Fact("To test destinations", f"{figures.test:,}"))
    return [
        *facts,
        *(
            Fact("Cost, estimated" if each.estimated else "Cost", cost_text(each))
            for each in figures.cost
        ),
    ]


def _with_part(count: int, sent: int) -> str:
    return f"{count:,} ({percent(count, sent)})" if count and sent else f"{count:,}"

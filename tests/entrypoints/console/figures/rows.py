"""Figures of the statistics for tests of what the overview shows of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from watchword.application.statistics.views import CostView, FiguresView, SecondsToVerify

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)


def figures(at: datetime = NOON, of: str | None = None, **counts: Any) -> FiguresView:
    """Return figures that are zero but for the given ones."""
    counted = ("sent", "accepted", "delivered", "verified", "expired", "blocked", "refused", "test")
    return FiguresView(
        at=at,
        of=of,
        **{name: counts.get(name, 0) for name in counted},
        seconds_to_verify=SecondsToVerify(*counts.get("seconds", (None, None))),
        cost=tuple(CostView(*each) for each in counts.get("cost", ())),
    )

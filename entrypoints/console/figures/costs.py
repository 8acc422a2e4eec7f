"""The costs of a span's sends, hour by hour or day by day, in each currency."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from attrs import frozen

from ....application.statistics.views import FiguresView

_NONE = Decimal(0)


@frozen
class CostPoint:
    """The cost of an hour or a day: as providers told it, and as price lists estimate it."""

    at: datetime
    told: Decimal
    estimated: Decimal


@frozen
class CostSeries:
    """The cost in one currency; amounts of different currencies are never added."""

    currency: str
    points: tuple[CostPoint, ...]

    @property
    def told(self) -> Decimal:
        """The sum of the costs that providers reported."""
        return sum((each.told for each in self.points), _NONE)

    @property
    def estimated(self) -> Decimal:
        """The sum of the costs that price lists estimate."""
        return sum((each.estimated for each in self.points), _NONE)


def cost_series(points: Sequence[FiguresView]) -> tuple[CostSeries, ...]:
    """Return the costs of the points of a span, by currency."""
    amounts: defaultdict[tuple[str, datetime, bool], Decimal] = defaultdict(Decimal)
    for point in points:
        for cost in point.cost:
            amounts[cost.currency, point.at, cost.estimated] += Decimal(cost.amount)
    return tuple(
        CostSeries(
            currency,
            tuple(
                CostPoint(
                    point.at,
                    amounts.get((currency, point.at, False), _NONE),
                    amounts.get((currency, point.at, True), _NONE),
                )
                for point in points
            ),
        )
        for currency in sorted({currency for currency, _, _ in amounts})
    )

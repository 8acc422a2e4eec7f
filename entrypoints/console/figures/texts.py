"""Figures as people read them."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ....application.statistics.views import CostView

_SMALLEST = Decimal("0.0001")


def percent(part: int, whole: int) -> str:
    """Return a part in percent, with a decimal unless it is none or all; of nothing, an empty text."""
    if not whole:
        return ""
    if part in (0, whole):
        return "100 %" if part else "0 %"
    # What is nearly all is not all.
    return f"{min(max(100 * part / whole, 0.1), 99.9):.1f} %"


def bar_width(count: int, whole: int) -> float:
    """Return the length of a bar in percent; no bar is longer than the whole."""
    return round(100 * min(count / whole, 1), 2) if whole else 0


def seconds_text(seconds: int | None) -> str:
    """Return a bound of a time to verify in its greatest whole unit."""
    if seconds is None:
        return ""
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= unit and not seconds % unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"


def distance_text(span: timedelta) -> str:
    """Return how far a clock is ahead of another, or behind it, in its two greatest units."""
    left, parts = abs(round(span.total_seconds())), []
    for unit, name in ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")):
        count, left = divmod(left, unit)
        if count:
            parts.append(f"{count} {name}")
    return f"{' '.join(parts[:2]) or '0 s'} {'behind' if span < timedelta() else 'ahead'}"


def amount_text(amount: str | Decimal) -> str:
    """Return an amount of money with at most four decimals, and never zero for something."""
    exact = Decimal(amount)
    rounded = exact.quantize(_SMALLEST)
    shown = rounded if rounded or not exact else _SMALLEST
    whole, _, fraction = f"{shown:,f}".partition(".")
    fraction = fraction.rstrip("0").ljust(2, "0")
    return f"{whole}.{fraction}" if shown else "0"


def cost_text(cost: CostView) -> str:
    """Return an amount with its currency; a tilde stands before an estimate."""
    return f"{'~' if cost.estimated else ''}{amount_text(cost.amount)} {cost.currency}"

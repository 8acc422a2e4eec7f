"""Put the sums over rows together to figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from ...domain.statistics import PARTS_OF_ONE, amount_of, quantile
from ..ports.listings import Total, Totals
from ..records.statistics import BUCKETS, COUNTS
from .rows import ESTIMATED
from .views import CostView, FiguresView, SecondsToVerify

_decode_offsets = msgspec.json.Decoder(list[int]).decode


class Of(NamedTuple):
    """
    An hour or a day, and a member of the group.

    An empty text is the whole range, or the missing member, which sorts first.
    """

    at: str
    member: str


class _Figures:
    """The sums for one row of an answer."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(COUNTS, 0)
        self.buckets = [0] * len(BUCKETS)
        # Those that have not ended and may still be verified.
        self.open = 0
        self.refused = 0
        self.costs: defaultdict[tuple[str, str], int] = defaultdict(int)

    def count(self, sums: Sequence[int]) -> None:
        """Add the counts, and the buckets if they were asked for."""
        for name, number in zip(COUNTS, sums, strict=False):
            self.counts[name] += number
        for place, number in enumerate(sums[len(COUNTS) :]):
            self.buckets[place] += number


def figures_in(
    totals: Totals, *, grouped: bool, whole: bool, since: datetime, now: datetime
) -> tuple[FiguresView, ...]:
    """
    Return the figures of the answers to the sums of `asking.py`, as they are at a time.

    Those of a whole range are at its beginning, `since`. With `whole`, sums of hours or days are added up
    to those of the range.
    """
    counted, later, current, costs, refused = totals.totals
    found: defaultdict[Of, _Figures] = defaultdict(_Figures)
    width = 2 if grouped else 1

    def figures_of(total: Total, width: int = width) -> _Figures:
        at = "" if whole else total.of[0] or ""
        return found[Of(at, (total.of[1] or "") if width > 1 else "")]

    for total in counted:
        figures_of(total).count(total.sums)
    for total in later:
        figures_of(total).open += total.sums[0]
    for total in current:
        # All rows with the same expiries are one total.
        offsets = _decode_offsets(total.of[width] or "[]")
        waiting = sum(offset > now.microsecond for offset in offsets)
        if offsets:
            figures_of(total).open += waiting * (total.sums[0] // len(offsets))
    for total in costs:
        currency, basis = total.of[width : width + 2]
        units, fraction = total.sums
        cost = figures_of(total).costs
        cost[str(currency), str(basis)] += units * PARTS_OF_ONE + fraction
    for total in refused:
        figures_of(total, len(total.of)).refused += total.sums[0]
    return tuple(_views(found.items(), since))


def _views(found: Iterable[tuple[Of, _Figures]], since: datetime) -> Iterator[FiguresView]:
    for of, figures in sorted(found, key=lambda each: each[0]):
        counts, costs = figures.counts, figures.costs
        # A send whose outcome was recorded left the row without a channel account empty.
        if not (any(counts.values()) or figures.refused or any(costs.values())):
            continue
        yield FiguresView(
            at=datetime.fromisoformat(of.at).replace(tzinfo=UTC) if of.at else since,
            of=of.member or None,
            sent=counts["sent"],
            accepted=counts["accepted"],
            delivered=counts["delivered"],
            verified=counts["verified"],
            expired=counts["unfinished"] - figures.open,
            blocked=counts["blocked"],
            refused=figures.refused,
            test=counts["test"],
            seconds_to_verify=SecondsToVerify(
                quantile(figures.buckets, 50), quantile(figures.buckets, 95)
            ),
            cost=tuple(
                CostView(amount_of(parts), currency, basis == ESTIMATED)
                for (currency, basis), parts in sorted(costs.items())
                if parts
            ),
        )

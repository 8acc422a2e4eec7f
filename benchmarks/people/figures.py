"""The figures of people, under the names that the table shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..summary import Spread
from .measuring import BEFORE, PeopleFound

Figures = Mapping[str, Spread | None]


def people_figures(each_store: Iterable[PeopleFound]) -> dict[str, Spread | None]:
    """Return the figures of each kind of store."""
    figures: dict[str, Spread | None] = {}
    for found in each_store:
        for name, spread in _of(found):
            figures[f"{found.store}: {name}"] = spread
    return figures


def _of(found: PeopleFound) -> Iterator[tuple[str, Spread | None]]:
    for name, seconds in found.erasures.items():
        yield f"ms per erasure, {name} (at most 1,000)", _milliseconds(seconds)
    for name, seconds in found.sends.items():
        yield f"ms per send to many, {name}", _milliseconds(seconds)
    first = next(iter(found.sends))
    limit = " (at most 1.3)" if first == BEFORE else ""
    for name in list(found.sends)[1:]:
        times = f"times as long as {first}, {name}"
        yield f"{times}{limit}", _ratios(found.sends, name, first)
        yield f"{times}, by CPU", _ratios(found.send_cpu, name, first)
    for name, size in found.cycle_bytes.items():
        yield f"bytes per cycle, {name}", Spread.of([size])


def _milliseconds(seconds: Iterable[float]) -> Spread | None:
    return Spread.of(each * 1e3 for each in seconds)


def _ratios(found: Mapping[str, list[float]], name: str, first: str) -> Spread | None:
    pairs = zip(found[name], found[first], strict=True)
    return Spread.of(own / other if other else None for own, other in pairs)

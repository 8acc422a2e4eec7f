"""What a check of the sealed log finds, by position and kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from ...verify_evidence import Finding
from ..ports.sealed_log import RawEvent
from .tree import WIDTH

_MOST_SHOWN = 100


class Kind(StrEnum):
    """
    The kind of a finding.

    `CHANGED`, `MISSING` and `EXTRA` are events; `BLANKED` is a sealed line that no `EventsPruned` names;
    `PRUNED` an `EventsPruned` that names other events than it says; `GAP` a position behind the tiles
    without an event. `TILE` are hashes. `HEAD` is a head that the tiles do not lead to, `SIGNATURE` one
    that no trusted key signed. `ROLLBACK`, `FORK` and `LOST` come from heads that were kept elsewhere: they
    cover more than the store has, have another root, or were declared lost. `DAMAGE` is a file that cannot
    be read on.
    """

    CHANGED = "changed"
    MISSING = "missing"
    EXTRA = "extra"
    BLANKED = "blanked"
    PRUNED = "pruned"
    GAP = "gap"
    TILE = "tile"
    HEAD = "head"
    SIGNATURE = "signature"
    ROLLBACK = "rollback"
    FORK = "fork"
    LOST = "lost"
    DAMAGE = "damage"


def in_ranges(kind: Kind, positions: Iterable[int], detail: str) -> Iterator[Finding]:
    """Yield findings of one kind at ascending positions, neighbours as ranges of at most 256."""
    first = last = 0
    for position in positions:
        if first and position == last + 1 and position - first < WIDTH:
            last = position
            continue
        if first:
            yield finding(kind, first, detail, last)
        first = last = position
    if first:
        yield finding(kind, first, detail, last)


def finding(kind: Kind, first: int, detail: str, last: int | None = None) -> Finding:
    """Return a finding about a position, or about positions from `first` to `last`."""
    return Finding(first, str(kind), detail, None if last == first else last)


def named(raw: RawEvent) -> str:
    """Return what a damaged or strange event calls itself, cut, in characters that a terminal shows."""
    name = f"version {raw.version} of {raw.stream}, {raw.topic}"
    return "".join(each if each.isprintable() else "?" for each in name)[:_MOST_SHOWN]

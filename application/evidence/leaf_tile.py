"""A leaf tile beside the events below it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from ...verify_evidence import Finding
from ..ports.sealed_log import LogDamaged, RawEvent
from .comparing_events import Compared, compare
from .findings import Kind, finding, in_ranges, named
from .leaves import event_leaf
from .tree import WIDTH

# More events than this in one tile are not named one by one.
_MOST_NAMED = 8


@frozen
class LeafTile:
    """The stored hashes of a tile from position `first` on, and `count` leaves as its events have them."""

    first: int
    count: int
    stored: Sequence[bytes]
    compared: Compared

    def candidates(self) -> Iterator[Sequence[bytes]]:
        """Yield what may have been sealed: the hashes as stored, and those of the events."""
        if len(self.stored) == self.count:
            yield self.stored
        of_events = self._of_events()
        if b"" not in of_events and of_events != self.stored:
            yield of_events

    def findings(self, sealed: Sequence[bytes] | None) -> Iterator[Finding]:
        """Yield what differs from the hashes that were sealed; None if nobody knows them."""
        for event in self.compared.extra:
            yield finding(Kind.EXTRA, event.position, f"It was never sealed: {named(event)}.")
        if sealed is not None and sealed != self.stored:
            yield from in_ranges(Kind.TILE, self._edited(sealed), "The hash is not the event's.")
            return
        yield from in_ranges(
            Kind.TILE,
            range(self.first + len(self.stored), self.first + self.count),
            "The hash of this position is missing.",
        )
        changed = self.compared.changed
        if len(changed) > _MOST_NAMED:
            text = "These are not the events that were sealed."
            yield from in_ranges(Kind.CHANGED, [position for position, _ in changed], text)
            return
        for position, event in changed:
            text = f"It is not the event that was sealed: {named(event)}."
            yield finding(Kind.CHANGED, position, text)

    def _of_events(self) -> list[bytes]:
        """Return the hashes of the events, and stored ones where there is no event; else empty ones."""
        stored = [*self.stored, *[b""] * (self.count - len(self.stored))]
        return [leaf or kept for leaf, kept in zip(self.compared.leaves, stored, strict=False)]

    def _edited(self, sealed: Sequence[bytes]) -> list[int]:
        stored = [*self.stored, *[b""] * (self.count - len(self.stored))]
        return [
            self.first + place
            for place, (kept, was) in enumerate(zip(stored, sealed, strict=True))
            if kept != was
        ]


def leaf_tile(
    events: Sequence[RawEvent],
    first: int,
    count: int,
    stored: Sequence[bytes],
    below: Sequence[bytes],
    shift: int,
) -> LeafTile:
    """
    Compare the next events with a tile.

    The events and the hashes `below`, those of the next tile, may go on as far as `compare` looks.
    """
    leaves = _as_sealed(events, first, count, stored, shift)
    if leaves is not None:
        return LeafTile(first, count, stored, Compared(leaves, shift, taken=count))
    hashes = [*stored, *below] if len(stored) == WIDTH else stored
    return LeafTile(first, count, stored, compare(events, first, count, hashes, shift))


def _as_sealed(
    events: Sequence[RawEvent], first: int, count: int, stored: Sequence[bytes], shift: int
) -> list[bytes | None] | None:
    """Return the leaves of the next events if they are those of the tile, as nearly all are."""
    if len(stored) != count or len(events) < count:
        return None
    begin = first + shift
    if events[0].position != begin or events[count - 1].position != begin + count - 1:
        return None
    try:
        leaves: list[bytes | None] = [
            event_leaf(events[place], first + place) for place in range(count)
        ]
    except LogDamaged:
        return None
    return leaves if leaves == stored else None

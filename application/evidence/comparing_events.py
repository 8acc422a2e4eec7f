"""Compare the events of one leaf tile with its hashes, and name what differs."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from ..ports.sealed_log import LogDamaged, RawEvent
from .leaves import event_leaf

# So many events that were inserted or deleted, with all later ones renumbered, are recognised as such.
LOOKAHEAD = 8


@define
class Compared:
    """
    What a comparison found.

    `leaves` are the hashes of the events by place in the tile, None where there is none. `shift` says how
    many positions later than sealed the events behind it stand. `taken` events were compared.
    """

    leaves: list[bytes | None]
    shift: int
    taken: int = 0
    changed: list[tuple[int, RawEvent]] = field(factory=list)
    missing: list[int] = field(factory=list)
    extra: list[RawEvent] = field(factory=list)


def leaf_or_none(raw: RawEvent, position: int) -> bytes | None:
    """Return the hash of an event's leaf as if it stood at `position`; None for what is no event."""
    try:
        return event_leaf(raw, position)
    except LogDamaged:
        return None


def compare(
    events: Sequence[RawEvent], first: int, count: int, hashes: Sequence[bytes], shift: int
) -> Compared:
    """
    Compare events with the hashes of `count` leaves from position `first` on.

    `events` and `hashes` may go on behind those, by `LOOKAHEAD`: so an event that was inserted, or deleted
    with all later ones moved up, is one finding and not one for each event behind it. Where `hashes` end,
    nothing is compared.
    """
    found = Compared([None] * count, shift)
    place = 0
    while place < count:
        position = first + place
        event = events[found.taken] if found.taken < len(events) else None
        if event is None or event.position > position + found.shift:
            found.missing.append(position)
            place += 1
        elif event.position < position + found.shift:
            found.extra.append(event)
            found.taken += 1
        elif place >= len(hashes) or leaf_or_none(event, position) == hashes[place]:
            found.leaves[place] = leaf_or_none(event, position)
            found.taken += 1
            place += 1
        else:
            place += _differing(events, first, place, hashes, found)
    return found


def _differing(
    events: Sequence[RawEvent], first: int, place: int, hashes: Sequence[bytes], found: Compared
) -> int:
    """Take an event whose leaf is not as sealed; return how many leaves that explains."""
    at = found.taken
    for number in range(1, LOOKAHEAD + 1):
        if _fit(events[at + number :], first, place, hashes):
            found.extra += events[at : at + number]
            found.taken += number
            found.shift += number
            return 0
        if _fit(events[at:], first, place + number, hashes):
            gone = min(number, len(found.leaves) - place)
            found.missing += range(first + place, first + place + gone)
            found.shift -= number
            return number
    found.changed.append((first + place, events[at]))
    found.leaves[place] = leaf_or_none(events[at], first + place)
    found.taken += 1
    return 1


def _fit(events: Sequence[RawEvent], first: int, place: int, hashes: Sequence[bytes]) -> bool:
    """Return whether the next events have the two leaves, or the last one, that were sealed from here on."""
    sealed = hashes[place : place + 2]
    return 0 < len(sealed) <= len(events) and all(
        leaf_or_none(event, first + place + number) == leaf
        for number, (event, leaf) in enumerate(zip(events, sealed, strict=False))
    )

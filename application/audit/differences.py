"""What is not as the log says: in a stream itself, in its row, in what it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
from attrs import frozen

from ...domain.decider import Decider
from ...domain.event import MASK
from ..aggregates import decider_of
from ..ports.snapshot import KeptEvent, KeptRow
from ..read_models.rows import Row


@frozen(kw_only=True)
class Difference:
    """
    One thing that is not as the log says: what it is, whose, and which field of it.

    `expected` and `found` are plain values; what is personal or secret in them reads `***` (D-29).
    """

    what: str
    id: str
    field: str = ""
    expected: Any
    found: Any


class Replaying:
    """One stream, replayed event after event; `broken` once it cannot be replayed whole."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.state: Any = None
        self.broken = False
        self._decider: Decider[Any] | None = None
        self._version = 0
        self._position = 0

    def take(self, kept: KeptEvent) -> Iterator[Difference]:
        """Apply the next event; say what is wrong with it, or with its place."""
        if kept.version != self._version + 1:
            self.broken = True
            yield self._difference("version", self._version + 1, kept.version)
        if kept.position <= self._position:
            yield self._difference(
                f"position of version {kept.version}",
                f"behind {self._position}",
                kept.position,
            )
        self._version, self._position = kept.version, kept.position
        if kept.event is None:
            self.broken = True
            yield self._difference(
                f"form of version {kept.version}", "an event of this release", kept.topic
            )
        elif not self.broken:
            yield from self._applied(kept)

    def _applied(self, kept: KeptEvent) -> Iterator[Difference]:
        event = kept.event
        assert event is not None
        if self._decider is None:
            decider = decider_of(event)
            follows = decider.beginnings
            expected = " or ".join(each.__name__ for each in follows)
        else:
            decider = self._decider
            follows, expected = decider.events, f"an event of its {decider.kind}"
        if isinstance(event, follows):
            self._decider = decider
            self.state = decider.fold((event,), self.state)
        else:
            self.broken = True
            yield self._difference(f"kind of version {kept.version}", expected, kept.topic)

    def _difference(self, field: str, expected: Any, found: Any) -> Difference:
        return Difference(what="Event", id=self.stream, field=field, expected=expected, found=found)


def row_differences(
    kind: type[Row], stream: str, expected: Row | None, found: Sequence[KeptRow[Any]]
) -> Iterator[Difference]:
    """Compare the row that a stream should have, if any, with what stands under its key."""
    kept = found[0].row if found else None
    if expected is not None and kept is not None:
        for each in attrs.fields(kind):
            wanted, has = getattr(expected, each.name), getattr(kept, each.name)
            if wanted != has:
                yield Difference(
                    what=kind.__name__,
                    id=stream,
                    field=each.name,
                    expected=wanted if each.repr else MASK,
                    found=has if each.repr else MASK,
                )
    elif expected is not None or found:
        yield Difference(
            what=kind.__name__,
            id=stream,
            expected="a row" if expected is not None else "no row",
            found=("a row" if kept is not None else "an unreadable row") if found else "no row",
        )


def holder_difference(holder: str, subject: str, *, held: bool) -> Difference:
    """Say that somebody holds what is not theirs, or does not hold what is."""
    # What follows the kind of a subject may be a destination or a hash.
    return Difference(
        what="Holder",
        id=holder,
        field=subject.partition(":")[0],
        expected="not held" if held else "held",
        found="held" if held else "not held",
    )

"""Fold the streams of a snapshot up to a cut, one after the other (C-82)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, TypeVar

from attrs import define

from ..ports.snapshot import KeptEvent, Snapshot
from ..records.record import Record
from .cut import Cut
from .pruned_positions import PrunedPositions, Ranges

S = TypeVar("S")


class FoldingStreams:
    """
    Rebuilds the states of a kind of aggregate as of a cut; only one stream is in memory at a time.

    `unreadable` counts the streams that cannot be rebuilt, because an event is missing or damaged. What
    retention had pruned by then was in no list any more (D-455).
    """

    def __init__(self, snapshot: Snapshot, cut: Cut) -> None:
        self._snapshot = snapshot
        self._cut = cut
        self.unreadable = 0
        self._pruned: Ranges | None = None

    async def states(self, record: Record[S]) -> AsyncIterator[tuple[str, S]]:
        """Yield the streams of a kind that had begun, each with its state."""
        folded: _Folded | None = None
        if self._pruned is None:
            self._pruned = (await PrunedPositions.read(self._snapshot, self._cut)).sealed
        async for kept in self._snapshot.events(f"{record.prefix}_"):
            if kept.position in self._pruned:
                continue
            if folded is None or folded.stream != kept.stream:
                if folded is not None and self._is_whole(folded):
                    yield folded.stream, folded.state
                folded = _Folded(kept.stream)
            folded.take(record, kept, self._cut)
        if folded is not None and self._is_whole(folded):
            yield folded.stream, folded.state

    def _is_whole(self, folded: _Folded) -> bool:
        self.unreadable += folded.broken
        return folded.state is not None and not folded.broken


@define
class _Folded:
    """One stream, as far as it was folded."""

    stream: str
    state: Any = None
    version: int = 0
    broken: bool = False

    def take(self, record: Record[Any], kept: KeptEvent, cut: Cut) -> None:
        """Apply the next event, if it had happened."""
        self.version += 1
        if cut.position is not None and kept.position > cut.position:
            return
        if kept.event is None or kept.version != self.version:
            self.broken = True
        elif not self.broken and cut.has(kept.position, kept.event.at):
            self._apply(record, kept)

    def _apply(self, record: Record[Any], kept: KeptEvent) -> None:
        # A clock that went back may have given the first event a later time than this one.
        if self.state is None and kept.version > 1:
            return
        wanted = record.decider.beginnings if self.state is None else record.decider.later
        if not isinstance(kept.event, wanted):
            self.broken = True
            return
        try:
            self.state = record.decider.fold((kept.event,), self.state)
        except Exception:
            # A forged event can lead to any error, which must not end the list.
            self.broken = True

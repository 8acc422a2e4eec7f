"""A long log that was made at once, as a snapshot, for edits that need levels of tiles above the second."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from attrs import Factory, define

from tests.application.evidence.log_signer import LogSigner
from tests.contracts.event_store.histories import NOON
from watchword.application.evidence.leaves import event_leaf
from watchword.application.evidence.tree import TileKey, extended, root, root_tiles
from watchword.application.evidence.verifying_log import Verified, VerifyingLog
from watchword.application.ports.sealed_log import Head, KeptTile, RawEvent

SIGNER = LogSigner()


def event(position: int) -> RawEvent:
    """Return the event at a position."""
    state = b'{"id":"evt_%d","at":"2031-05-04T12:00:00Z"}\n\n' % position
    return RawEvent(position, f"key-{position % 7}", position // 7 + 1, "ApiKeyUsed/1", state)


@define
class MadeLog:
    """The parts of a sealed log, which a test may edit."""

    events: list[RawEvent]
    tiles: dict[TileKey, bytes]
    heads: list[Head] = Factory(list)

    @classmethod
    def of(cls, size: int, *heads: int) -> MadeLog:
        """Return a sealed log with signed heads."""
        events = [event(position) for position in range(1, size + 1)]
        made = cls(events, {})
        made.seal(*heads)
        return made

    def seal(self, *sizes: int) -> None:
        """Make all tiles and heads anew."""
        leaves = [event_leaf(each, number) for number, each in enumerate(self.events, 1)]
        self.tiles = extended(0, leaves, {})
        self.heads = [self.head(size) for size in sizes]

    def head(self, size: int) -> Head:
        """Return a signed head over the tiles as they are."""
        wanted = {key: self.tiles[key] for key in root_tiles(size)}
        return SIGNER.head(size, root(size, wanted), NOON + timedelta(seconds=size))

    async def verified(self, heads: Sequence[str] = ()) -> Verified:
        """Verify the log."""
        # The parts of a journal that the check uses are these.
        journal: Any = self
        return await VerifyingLog(journal).verify(SIGNER.verifiers, heads)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[_Snapshot]:
        """Yield the log."""
        yield _Snapshot(self)

    async def read_stream(self, _: str) -> Sequence[Any]:
        """Return no history of keys."""
        return ()


@define
class _Snapshot:
    _log: MadeLog

    async def size(self) -> int:
        """Count the events."""
        return len(self._log.events)

    async def raw_events(self) -> AsyncIterator[RawEvent]:
        """Yield the events."""
        for each in self._log.events:
            yield each

    async def tiles(self, level: int) -> AsyncIterator[KeptTile]:
        """Yield the tiles of a level."""
        for (of, index), hashes in sorted(self._log.tiles.items()):
            if of == level:
                yield KeptTile(of, index, hashes)

    async def heads(self) -> AsyncIterator[Head]:
        """Yield the heads."""
        for each in self._log.heads:
            yield each

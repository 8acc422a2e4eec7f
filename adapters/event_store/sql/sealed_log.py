"""The sealed log on SQL: tiles, heads, and events as they are stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from attrs import frozen

from ....application.evidence.leaves import check_positions, event_leaf
from ....application.evidence.tree import (
    WIDTH,
    MissingTileError,
    TileKey,
    edge_tiles,
    extended,
)
from ....application.ports.sealed_log import Head, LogDamaged, RawEvent
from ....verify_evidence import HASH
from ..rows.time_text import time_text
from .dialect import SqlDialect
from .store_threads import StoreThreads

Statement = tuple[str, Sequence[Any]]
Fetch = Callable[[str, Sequence[Any]], list[Any]]
# Runs statements in one transaction unless the first changes nothing; returns whether it ran them.
Write = Callable[[Sequence[Statement]], bool]

LEASE = "log_lease"
# Clocks of nodes differ by less, so a longer lease was taken by a wrong clock.
_WRONG_CLOCK = timedelta(minutes=1)
_SIZE = "SELECT tile, length(hashes) FROM log_tiles WHERE level = 0 ORDER BY tile DESC LIMIT 1"
_TILE = "SELECT hashes FROM log_tiles WHERE level = ? AND tile = ?"
_ADD_TILE = "INSERT INTO log_tiles VALUES (?, ?, ?) ON CONFLICT (level, tile) DO NOTHING"
_GROW_TILE = "UPDATE log_tiles SET hashes = ? WHERE level = ? AND tile = ? AND length(hashes) = ?"
_HEAD = "SELECT origin, size, root, at, note FROM log_heads"
_ADD_HEAD = (
    "INSERT INTO log_heads (origin, size, root, at, note) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (size) DO NOTHING"
)
_COSIGN = "UPDATE log_heads SET note = ? WHERE size = ? AND note = ?"
# A time has 32 characters, and a space follows.
_TAKE_LEASE = (
    "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    " WHERE substr(settings.value, 1, 32) <= ? OR substr(settings.value, 1, 32) > ?"
    " OR substr(settings.value, 34) = ?"
)


@frozen
class SqlSealedLog:
    """
    Reads on the store's readers, and hashes and writes on its keeper's thread.

    Nothing here takes the lock of the writers or waits in their queue: what is hashed never changes, and a
    write holds only if the tiles are still as long as they were read (D-425).
    """

    _dialect: SqlDialect
    _readers: StoreThreads
    _keeper: StoreThreads
    _fetch: Fetch
    _write: Write

    async def sealed_size(self) -> int:
        """Return the number of events that the tiles cover."""
        return await self._readers.run(self._size)

    async def extend(self, limit: int) -> int:
        """Cover more events with tiles; return how many they cover then."""
        return await self._keeper.run(self._extend, limit)

    async def tiles(self, wanted: Collection[TileKey]) -> Mapping[TileKey, bytes]:
        """Return tiles by level and index."""
        return await self._readers.run(self._tiles, tuple(wanted))

    async def raw_events(self, after: int, limit: int) -> Sequence[RawEvent]:
        """Return the events after a position as they are stored."""
        return await self._readers.run(self._raw_events, after, limit)

    async def raw_stream(self, stream: str) -> Sequence[RawEvent]:
        """Return the events of one stream as they are stored."""
        return await self._readers.run(
            self._raw, "originator_id = ? ORDER BY originator_version", (stream,)
        )

    async def topics(self, after: int, until: int) -> Mapping[str, int]:
        """Count events by their stored name."""
        position = self._dialect.position
        counting = (
            "SELECT topic, count(*) FROM stored_events"
            f" WHERE {position} > ? AND {position} <= ? GROUP BY topic"
        )
        return dict(map(tuple, await self._readers.run(self._fetch, counting, (after, until))))

    async def keep_head(self, head: Head) -> bool:
        """Store a head unless there is one of its size."""
        values = (head.origin, head.size, head.root, time_text(head.at), head.note)
        return await self._keeper.run(self._write, ((_ADD_HEAD, values),))

    async def cosign(self, size: int, before: str, after: str) -> bool:
        """Replace the note of a head by one with more signatures, if it is as before."""
        return await self._keeper.run(self._write, ((_COSIGN, (after, size, before)),))

    async def heads(self, after_size: int, limit: int) -> Sequence[Head]:
        """Return heads by size."""
        return await self._readers.run(
            self._heads, f"{_HEAD} WHERE size > ? ORDER BY size LIMIT ?", (after_size, limit)
        )

    async def heads_before(self, size: int, limit: int) -> Sequence[Head]:
        """Return the heads of fewer events, the one of the most events first."""
        return await self._readers.run(
            self._heads, f"{_HEAD} WHERE size < ? ORDER BY size DESC LIMIT ?", (size, limit)
        )

    async def newest_head(self) -> Head | None:
        """Return the head of the most events."""
        found = await self._readers.run(self._heads, f"{_HEAD} ORDER BY size DESC LIMIT 1", ())
        return found[0] if found else None

    async def lease(self, owner: str, now: datetime, until: datetime) -> bool:
        """Take or prolong the lease of the one node that seals."""
        value = f"{time_text(until)} {owner}"
        beyond = time_text(until + _WRONG_CLOCK)
        taking = (_TAKE_LEASE, (LEASE, value, time_text(now), beyond, owner))
        return await self._keeper.run(self._write, (taking,))

    def _size(self) -> int:
        rows = self._fetch(_SIZE, ())
        if not rows:
            return 0
        ((tile, held),) = rows
        return int(tile) * WIDTH + int(held) // HASH

    def _extend(self, limit: int) -> int:
        size = self._size()
        edge = self._tiles(edge_tiles(size))
        events = self._raw_events(size, limit)
        try:
            check_positions(size, events)
            changed = extended(size, [event_leaf(each) for each in events], edge)
        except (LogDamaged, MissingTileError) as damage:
            # Another node may have extended the tiles between the reads.
            if (now := self._size()) != size:
                return now
            if isinstance(damage, LogDamaged):
                raise
            raise LogDamaged(
                size, f"The tiles over {size} events do not go on: {damage}."
            ) from None
        if not changed:
            if size > (newest := self._newest()):
                raise LogDamaged(newest + 1, f"Events {newest + 1} to {size} are missing.")
            return size
        statements = [_changing(key, hashes, edge) for key, hashes in changed.items()]
        return size + len(events) if self._write(statements) else self._size()

    def _newest(self) -> int:
        ((newest,),) = self._fetch(f"SELECT max({self._dialect.position}) FROM stored_events", ())
        return newest or 0

    def _tiles(self, wanted: Sequence[TileKey]) -> dict[TileKey, bytes]:
        found = {}
        for key in wanted:
            for (hashes,) in self._fetch(_TILE, key):
                found[key] = bytes(hashes)
        return found

    def _raw_events(self, after: int, limit: int) -> list[RawEvent]:
        position = self._dialect.position
        return self._raw(f"{position} > ? ORDER BY {position} LIMIT ?", (max(after, 0), limit))

    def _raw(self, which: str, parameters: Sequence[Any]) -> list[RawEvent]:
        rows = self._fetch(
            f"SELECT {self._dialect.position}, originator_id, originator_version, topic, state"
            f" FROM stored_events WHERE {which}",
            parameters,
        )
        return [RawEvent(*row) for row in rows]

    def _heads(self, statement: str, parameters: Sequence[Any]) -> list[Head]:
        return [
            Head(origin, size, bytes(root), datetime.fromisoformat(at), note)
            for origin, size, root, at, note in self._fetch(statement, parameters)
        ]


def _changing(key: TileKey, hashes: bytes, edge: Mapping[TileKey, bytes]) -> Statement:
    """Return the statement that adds a tile, or lets an unfinished one grow; it changes one row or none."""
    if key in edge:
        return _GROW_TILE, (hashes, *key, len(edge[key]))
    return _ADD_TILE, (*key, hashes)

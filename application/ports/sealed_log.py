"""The port for the sealed log: the stored bytes of events, the tiles over them, and the signed heads."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import frozen
from msgspec import Struct


class RawEvent(Struct, frozen=True):
    """An event exactly as it is stored; `state` are its three lines."""

    position: int
    stream: str
    version: int
    topic: str
    state: bytes


@frozen
class Head:
    """A signed head: the root over the first `size` events, and the signed note that says so."""

    origin: str
    size: int
    root: bytes
    at: datetime
    note: str


class KeptTile(Struct, frozen=True):
    """A tile as it is stored: up to 256 hashes of 32 bytes, one behind the other."""

    level: int
    index: int
    hashes: bytes


class LogDamaged(Exception):
    """The log or its tiles cannot be sealed on, because something is wrong at a position."""

    def __init__(self, position: int, text: str) -> None:
        super().__init__(f"{text} Run `watchword audit verify` and `watchword audit check`.")
        self.position = position


class SealedLog(Protocol):
    """
    The log as a tree of hashes (RFC 6962), whose leaf number `position - 1` is an event.

    The tiles are those of C2SP's tlog-tiles: 256 hashes each, and the hash of a full tile stands in the
    tile above it. The store keeps the full tiles and the unfinished tile of every level (D-420). Every
    method may raise `StoreUnavailable`.
    """

    async def sealed_size(self) -> int:
        """Return the number of events that the tiles cover."""
        ...

    async def extend(self, limit: int) -> int:
        """
        Cover up to `limit` more events with tiles; return the number of events that they cover then.

        Of two nodes that extend the same tiles, one writes, and the other returns what that one wrote.
        Raises `LogDamaged` for a gap in the positions, for an event in another form, and for tiles that
        cannot be continued.
        """
        ...

    async def tiles(self, wanted: Collection[tuple[int, int]]) -> Mapping[tuple[int, int], bytes]:
        """Return the hashes of tiles by level and index; tiles that the store lacks are left out."""
        ...

    async def raw_events(self, after: int, limit: int) -> Sequence[RawEvent]:
        """Return the events after a position, in commit order."""
        ...

    async def raw_stream(self, stream: str) -> Sequence[RawEvent]:
        """Return all events of one stream, in order."""
        ...

    async def topics(self, after: int, until: int) -> Mapping[str, int]:
        """Count the events behind a position, up to another one, by their stored name."""
        ...

    async def keep_head(self, head: Head) -> bool:
        """Store a head; return False if there is one of its size, which stays."""
        ...

    async def cosign(self, size: int, before: str, after: str) -> bool:
        """Replace the note of a head by one with more signatures; return False if it is not as before."""
        ...

    async def heads(self, after_size: int, limit: int) -> Sequence[Head]:
        """Return the heads of more than `after_size` events, by size."""
        ...

    async def heads_before(self, size: int, limit: int) -> Sequence[Head]:
        """Return the heads of fewer than `size` events, the one of the most events first."""
        ...

    async def newest_head(self) -> Head | None:
        """Return the head of the most events; None before the first one."""
        ...

    async def lease(self, owner: str, now: datetime, until: datetime) -> bool:
        """
        Take or prolong the lease of the one node that seals; return whether `owner` has it.

        The times are the machine's. A lease that goes on for more than a minute beyond `until` was taken
        by a wrong clock, and does not count.
        """
        ...

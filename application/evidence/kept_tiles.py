"""The stored tiles of each level, read side by side in the order of the leaves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from ...verify_evidence import HASH, Finding
from ..ports.sealed_log import KeptTile
from .findings import Kind, finding
from .tree import TILE_HEIGHT, WIDTH, root_over

# More than the positions of any log need.
LEVELS = 8


def first_position(level: int, place: int) -> int:
    """Return the position of the first leaf under hash number `place` of a level."""
    return (place << (TILE_HEIGHT * level)) + 1


class Column:
    """The tiles of one level, in order; `strays` are the indexes of those that were passed over."""

    def __init__(self, level: int, tiles: AsyncIterator[KeptTile]) -> None:
        self.level = level
        self._tiles = tiles
        self._next: KeptTile | None = None
        self._at_end = False
        self.strays: list[int] = []

    async def peek(self) -> KeptTile | None:
        """Return the next tile that was not taken."""
        if self._next is None and not self._at_end:
            self._next = await anext(self._tiles, None)
            self._at_end = self._next is None
        return self._next

    async def take(self, index: int) -> list[bytes]:
        """Return the hashes of a tile; none if it is missing, or in no form of a tile."""
        while (tile := await self.peek()) is not None and tile.index <= index:
            self._next = None
            if tile.index == index and (hashes := hashes_in(tile.hashes)):
                return hashes
            self.strays.append(tile.index)
        return []

    async def skip_rest(self) -> None:
        """Pass over all tiles that are left."""
        while (tile := await self.peek()) is not None:
            self._next = None
            self.strays.append(tile.index)


def hashes_in(tile: bytes) -> list[bytes]:
    """Return the single hashes of a tile; none if their length is impossible."""
    if len(tile) % HASH or len(tile) > WIDTH * HASH:
        return []
    return [tile[at : at + HASH] for at in range(0, len(tile), HASH)]


class UpperLevel:
    """
    A level above the leaves: what its hashes should be, as they become known, beside what is stored.

    Whoever adds the nodes compares those of the first such level, because heads decide there (D-426).
    """

    def __init__(self, column: Column, columns: Iterator[Column]) -> None:
        self._column = column
        self._columns = columns
        self._above: UpperLevel | None = None
        self._stored: list[bytes] = []
        self._nodes: list[bytes] = []
        self._count = 0
        self.findings: list[Finding] = []

    async def stored(self) -> bytes | None:
        """Return the stored hash at the place of the next node."""
        place = self._count % WIDTH
        if not place:
            self._stored = await self._column.take(self._count // WIDTH)
        return self._stored[place] if place < len(self._stored) else None

    async def add(self, node: bytes) -> None:
        """Add the next node as it should be, and compare the tiles above this level."""
        self._nodes.append(node)
        self._count += 1
        if len(self._nodes) == WIDTH:
            above = root_over(b"".join(self._nodes))
            self._nodes = []
            if self._above is None:
                self._above = UpperLevel(next(self._columns), self._columns)
            if await self._above.stored() != above:
                self._above.differs()
            await self._above.add(above)

    def differs(self, place: int | None = None) -> None:
        """Note that a stored hash is missing, or is another one than it should be."""
        number = self._count if place is None else place
        self.findings.append(tile_finding(self._column.level, number))

    async def end(self) -> list[Finding]:
        """Return the findings about this level and those above, once all nodes were added."""
        wanted = (self._count - 1) % WIDTH + 1 if self._count else 0
        if len(self._stored) > wanted:
            index = (self._count - 1) // WIDTH
            self.findings.append(surplus_finding(self._column.level, index, wanted))
        above = await self._above.end() if self._above is not None else []
        return [*self.findings, *above]


def tile_finding(level: int, place: int, kind: Kind = Kind.TILE) -> Finding:
    """Return the finding that a stored hash is missing, or is another one than it should be."""
    first = first_position(level, place)
    # A hash further up covers more events than a finding may name.
    last = first_position(level, place + 1) - 1 if level <= 1 else first
    tile, number = divmod(place, WIDTH)
    text = f"Hash {number} in tile {tile} of level {level} is not the one of the events below it."
    return finding(kind, first, text, last)


def surplus_finding(level: int, index: int, wanted: int) -> Finding:
    """Return the finding that a tile has more hashes than there are events."""
    first = first_position(level, index * WIDTH + wanted)
    text = f"Tile {index} of level {level} has hashes of events that there are not."
    return finding(Kind.TILE, first, text)


def stray_finding(level: int, index: int) -> Finding:
    """Return the finding that a tile covers no events, or is in no form of a tile."""
    first = max(1, first_position(level, index * WIDTH))
    text = f"Tile {index} of level {level} covers no events, or has an impossible length."
    return finding(Kind.TILE, first, text)

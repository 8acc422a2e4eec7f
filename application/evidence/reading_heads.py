"""Shows the signed heads of the log, and the tiles under the newest one as C2SP's tlog-tiles has them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from ...domain.errors import NotFoundError
from ...verify_evidence import HASH
from ..journal import Journal
from ..ports.sealed_log import Head
from .errors import LogDamagedError
from .kept_tiles import LEVELS
from .tree import TILE_HEIGHT, WIDTH

DEFAULT_HEADS, MAX_HEADS = 100, 1_000
_LEVEL = re.compile(r"0|[1-9][0-9]?")
_TILE = re.compile(r"((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
_MOST_GROUPS = 7


class HeadNotFoundError(NotFoundError):
    """No head was signed yet."""

    def __init__(self) -> None:
        super().__init__("The log has no signed head yet. Sign one with watchword audit seal.")


class TileNotFoundError(NotFoundError):
    """There is no such tile under the newest head."""

    def __init__(self) -> None:
        super().__init__("The newest head has no such tile.")


@frozen
class Tile:
    """The place of a tile, and how many of its hashes are wanted."""

    level: int
    index: int
    width: int

    @classmethod
    def parse(cls, level: str, path: str) -> Tile | None:
        """
        Return the tile of a path: `x001/x234/067`, or with `.p/8` behind it the first 8 hashes.

        None for what is not in the one form of a tile's path.
        """
        found = _TILE.fullmatch(path)
        if found is None or not _LEVEL.fullmatch(level):
            return None
        groups = found[1].replace("x", "").split("/")
        width = WIDTH if found[2] is None else int(found[2])
        # Groups of zeros at the beginning would be a second name.
        too_many = len(groups) > _MOST_GROUPS or (len(groups) > 1 and groups[0] == "000")
        if too_many or int(level) >= LEVELS or (found[2] is not None and width >= WIDTH):
            return None
        return cls(int(level), int("".join(groups)), width)

    def under(self, size: int) -> bool:
        """Return whether a tree of this size has the wanted hashes."""
        return self.index * WIDTH + self.width <= size >> (TILE_HEIGHT * self.level)


class ReadingHeads:
    """Reads what was signed; what is covered by no head yet is not shown."""

    def __init__(self, journal: Journal) -> None:
        self._log = journal.sealed_log

    async def newest(self) -> Head:
        """Return the newest head; raises `HeadNotFoundError`."""
        head = await self._log.newest_head()
        if head is None:
            raise HeadNotFoundError
        return head

    async def after(self, size: int, limit: int) -> Sequence[Head]:
        """Return the heads of more than `size` events, by size; at most 1,000."""
        return await self._log.heads(size, min(limit, MAX_HEADS))

    async def tile(self, tile: Tile | None) -> bytes:
        """Return the hashes of a tile, one behind the other; raises `TileNotFoundError`."""
        newest = await self._log.newest_head()
        if tile is None or newest is None or not tile.under(newest.size):
            raise TileNotFoundError
        key = (tile.level, tile.index)
        hashes = (await self._log.tiles([key])).get(key, b"")[: tile.width * HASH]
        if len(hashes) != tile.width * HASH:
            raise LogDamagedError(
                min(tile.index * WIDTH << (TILE_HEIGHT * tile.level), newest.size) + 1
            )
        return hashes

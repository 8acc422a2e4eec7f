"""The digest of a pruning is that of the leaf hashes which it names (C-75)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import cast

import pytest
from attrs import define, field

from watchword.application.evidence.sealed_leaves import pruned_digest
from watchword.application.evidence.tree import WIDTH, TileKey
from watchword.application.ports.sealed_log import LogDamaged, SealedLog
from watchword.domain.log_history import PrunedRange

TILES = 40
LEAVES = [sha256(b"event %d" % each).digest() for each in range(TILES * WIDTH)]


@define
class Tiles:
    """The lowest tiles of a log, and how many were read at once."""

    read: list[int] = field(factory=list)

    async def tiles(self, wanted: Collection[TileKey]) -> Mapping[TileKey, bytes]:
        """Return the tiles that there are."""
        self.read.append(len(wanted))
        return {
            (level, index): b"".join(LEAVES[index * WIDTH : (index + 1) * WIDTH])
            for level, index in wanted
            if index < TILES
        }


@pytest.mark.parametrize(
    ("ranges", "reads"),
    [
        ((), 0),
        (((1, 1),), 1),
        # Ends and beginnings of tiles.
        (((256, 256), (257, 257), (512, 513)), 1),
        # Three positions of each tile.
        (tuple((each * WIDTH + 7, each * WIDTH + 9) for each in range(TILES)), 3),
        (((1, TILES * WIDTH),), 3),
        (((5, 16 * WIDTH), (16 * WIDTH + 2, 17 * WIDTH + 3)), 2),
    ],
)
async def test_a_digest_is_that_of_all_leaves_in_order(
    ranges: Sequence[tuple[int, int]], reads: int
) -> None:
    """Wherever the ranges lie; one read serves many of them, and brings at most 16 tiles."""
    log = Tiles()
    named = [LEAVES[at - 1] for first, last in ranges for at in range(first, last + 1)]

    found = await pruned_digest(
        cast("SealedLog", log), [PrunedRange(first, last) for first, last in ranges]
    )

    assert b64encode(sha256(b"".join(named)).digest()).decode() == found
    assert reads == len(log.read)
    assert all(each <= 16 for each in log.read)


async def test_a_leaf_that_is_missing_is_named() -> None:
    """A digest over less than all would be believed."""
    with pytest.raises(LogDamaged) as damaged:
        await pruned_digest(cast("SealedLog", Tiles()), [PrunedRange(1, TILES * WIDTH + 1)])

    assert TILES * WIDTH + 1 == damaged.value.position

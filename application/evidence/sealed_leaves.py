"""The leaf hashes of events as the tiles keep them, also of events that retention dropped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import groupby, islice

from ...domain.log_history import PrunedRange
from ..ports.sealed_log import LogDamaged, SealedLog
from .tree import WIDTH, MissingTileError, leaf_of

_TILES_AT_ONCE = 16


async def leaves_at(log: SealedLog, positions: Sequence[int]) -> list[bytes]:
    """Return the leaf hashes at sealed positions; raises `LogDamaged` if the tiles lack one."""
    tiles = await log.tiles({(0, (each - 1) // WIDTH) for each in positions})
    leaves = []
    for each in positions:
        try:
            leaves.append(leaf_of(each - 1, tiles))
        except MissingTileError as missing:
            raise LogDamaged(each, f"Position {each} of the log has no leaf.") from missing
    return leaves


async def pruned_digest(log: SealedLog, ranges: Iterable[PrunedRange]) -> str:
    """
    Return the digest of a pruning: the base64 SHA-256 of the leaf hashes of its events, in order.

    The ranges ascend. Raises `LogDamaged` if the tiles lack one.
    """
    whole = sha256()
    positions = (at for each in ranges for at in range(each.first, each.last + 1))
    of_tiles = groupby(positions, lambda at: (at - 1) // WIDTH)
    # One read for many ranges, because the events of a pruning stand among those of others.
    while some := [at for _, of_tile in islice(of_tiles, _TILES_AT_ONCE) for at in of_tile]:
        whole.update(b"".join(await leaves_at(log, some)))
    return b64encode(whole.digest()).decode()

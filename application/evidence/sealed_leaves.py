"""The leaf hashes of events as the tiles keep them, also of events that retention dropped."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256

from ...domain.log_history import PrunedRange
from ..ports.sealed_log import LogDamaged, SealedLog
from .tree import WIDTH, MissingTileError, leaf_of

# Leaves that are read at once: 16 tiles.
_AT_ONCE = 16 * WIDTH


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

    Raises `LogDamaged` if the tiles lack one.
    """
    whole = sha256()
    for each in ranges:
        for first in range(each.first, each.last + 1, _AT_ONCE):
            some = range(first, min(first + _AT_ONCE, each.last + 1))
            whole.update(b"".join(await leaves_at(log, some)))
    return b64encode(whole.digest()).decode()

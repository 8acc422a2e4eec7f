"""The digest by which a pruning names what it takes, computed from the tiles of the log (C-75)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256

from ...verify_evidence import HASH
from ..evidence.tree import WIDTH
from ..ports.sealed_log import SealedLog


def pruned_digest(leaves: Iterable[bytes]) -> str:
    """Return the digest of a pruning: the base64 SHA-256 of the leaf hashes of its events, in order."""
    return b64encode(sha256(b"".join(leaves)).digest()).decode()


async def leaves_at(log: SealedLog, positions: Sequence[int]) -> list[bytes]:
    """Return the leaf hashes at sealed positions; raises `LookupError` if a tile is missing."""
    tiles = await log.tiles({(0, (each - 1) // WIDTH) for each in positions})
    leaves = []
    for each in positions:
        tile, place = divmod(each - 1, WIDTH)
        leaf = tiles[0, tile][place * HASH : (place + 1) * HASH]
        if len(leaf) < HASH:
            raise LookupError(f"The tiles have no leaf for position {each}.")
        leaves.append(leaf)
    return leaves

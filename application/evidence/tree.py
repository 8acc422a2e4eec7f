"""
The Merkle tree of the log, kept in tiles: how it grows, its roots, and its proofs.

Tiles are those of C2SP's tlog-tiles: tile `index` of level `level` has up to 256 hashes, and each hash of a
level above 0 is the root of a full tile below it. An unfinished tile is kept for every level, so that no
subtree needs more than one tile (D-420). Every function is pure: ask for the keys of the tiles first, read
those, and call the function with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...verify_evidence import EMPTY_ROOT, HASH, node_hash

TILE_HEIGHT = 8
WIDTH = 1 << TILE_HEIGHT
_FULL = WIDTH * HASH

TileKey = tuple[int, int]
Tiles = Mapping[TileKey, bytes]


class MissingTileError(LookupError):
    """A tile is missing, or has fewer hashes than the size of the tree needs."""


class Range(NamedTuple):
    """The leaves from `low` up to, but without, `high`."""

    low: int
    high: int


def edge_tiles(size: int) -> list[TileKey]:
    """Return the keys of the unfinished tiles of a tree, by level."""
    keys = []
    level = 0
    while size:
        index, width = divmod(size, WIDTH)
        if width:
            keys.append((level, index))
        size, level = index, level + 1
    return keys


def extended(size: int, leaves: Sequence[bytes], edge: Tiles) -> dict[TileKey, bytes]:
    """
    Return the tiles that new leaves begin or change.

    `edge` has the tiles that `edge_tiles(size)` names. A tile that has more hashes than a tree of that
    size raises `MissingTileError` as well: somebody else has extended the tree.
    """
    changed: dict[TileKey, bytes] = {}
    level, hashes, count = 0, b"".join(leaves), size
    while hashes:
        index, width = divmod(count, WIDTH)
        kept = edge.get((level, index), b"") if width else b""
        if len(kept) != width * HASH:
            raise MissingTileError(f"tile {index} of level {level} does not have {width} hashes")
        tiles = _split(kept + hashes)
        changed.update(((level, index + number), tile) for number, tile in enumerate(tiles))
        hashes = b"".join(root_over(tile) for tile in tiles if len(tile) == _FULL)
        level, count = level + 1, index
    return changed


def root_tiles(size: int) -> set[TileKey]:
    """Return the keys of the tiles that `root` needs."""
    return _keys([Range(0, size)])


def root(size: int, tiles: Tiles) -> bytes:
    """Return the root of the first `size` leaves."""
    return _range_root(Range(0, size), tiles) if size else EMPTY_ROOT


def inclusion_tiles(index: int, size: int) -> set[TileKey]:
    """Return the keys of the tiles that `inclusion_proof` needs, and of the one with the leaf itself."""
    return _keys(_inclusion(index, size)) | {(0, index // WIDTH)}


def inclusion_proof(index: int, size: int, tiles: Tiles) -> list[bytes]:
    """Return the proof that the leaf `index` is in the tree of `size` leaves, from the leaf upwards."""
    return [_range_root(each, tiles) for each in _inclusion(index, size)]


def consistency_tiles(old: int, size: int) -> set[TileKey]:
    """Return the keys of the tiles that `consistency_proof` needs."""
    return _keys(_consistency(old, size))


def consistency_proof(old: int, size: int, tiles: Tiles) -> list[bytes]:
    """Return the proof that the tree of `size` leaves begins with the tree of `old` leaves."""
    return [_range_root(each, tiles) for each in _consistency(old, size)]


def leaf_of(index: int, tiles: Tiles) -> bytes:
    """Return the hash of a leaf."""
    return _subtree_root(0, index, tiles)


def _inclusion(index: int, size: int) -> list[Range]:
    """Return the siblings on the way from a leaf to the root (RFC 6962, 2.1.1)."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    siblings = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _left(high - low)
        if index < middle:
            siblings.append(Range(middle, high))
            high = middle
        else:
            siblings.append(Range(low, middle))
            low = middle
    return siblings[::-1]


def _consistency(old: int, size: int) -> list[Range]:
    """Return the subtrees that prove one tree to begin with another (RFC 6962, 2.1.2)."""
    if not 1 <= old <= size:
        raise ValueError(f"a tree of {size} leaves does not extend one of {old}")
    subtrees = []
    low, high = 0, size
    while high != old:
        middle = low + _left(high - low)
        if old <= middle:
            subtrees.append(Range(middle, high))
            high = middle
        else:
            subtrees.append(Range(low, middle))
            low = middle
    # A verifier knows the root of the old tree, so the proof leaves it out.
    if low:
        subtrees.append(Range(low, high))
    return subtrees[::-1]


def _left(size: int) -> int:
    """Return the largest power of two below a size of at least 2."""
    return 1 << (size - 1).bit_length() - 1


def _subtrees(leaves: Range) -> Iterator[tuple[int, int]]:
    """Yield height and index of the full subtrees that make up a range, from the left."""
    low = leaves.low
    while low < leaves.high:
        height = (leaves.high - low).bit_length() - 1
        yield height, low >> height
        low += 1 << height


def _range_root(leaves: Range, tiles: Tiles) -> bytes:
    subtrees = [_subtree_root(height, index, tiles) for height, index in _subtrees(leaves)]
    result = subtrees.pop()
    while subtrees:
        result = node_hash(subtrees.pop(), result)
    return result


def _place(height: int, index: int) -> tuple[TileKey, int, int]:
    """Return the tile of a full subtree, and the first and the number of its hashes there."""
    level, above = divmod(height, TILE_HEIGHT)
    tile, first = divmod(index << above, WIDTH)
    return (level, tile), first, 1 << above


def _subtree_root(height: int, index: int, tiles: Tiles) -> bytes:
    key, first, width = _place(height, index)
    hashes = tiles.get(key, b"")[first * HASH : (first + width) * HASH]
    if len(hashes) != width * HASH:
        raise MissingTileError(f"tile {key[1]} of level {key[0]} has no hash {first + width - 1}")
    return root_over(hashes)


def root_over(hashes: bytes) -> bytes:
    """Return the root over a power of two of hashes."""
    nodes = [hashes[at : at + HASH] for at in range(0, len(hashes), HASH)]
    while len(nodes) > 1:
        nodes = [node_hash(nodes[at], nodes[at + 1]) for at in range(0, len(nodes), 2)]
    return nodes[0]


def _split(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + _FULL] for at in range(0, len(hashes), _FULL)]


def _keys(ranges: Iterable[Range]) -> set[TileKey]:
    return {_place(*each)[0] for leaves in ranges for each in _subtrees(leaves)}

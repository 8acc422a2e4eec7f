"""Trees in tiles: every proof that they make verifies, at every size, and no other does."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.application.evidence import tree
from watchword.verify_evidence import EvidenceError, check_consistency, check_inclusion

MOST = 70_000
HASHES = [hashlib.sha256(str(each).encode()).digest() for each in range(MOST)]
TILES = tree.extended(0, HASHES, {})
# The pass mark asks for 10,000 of each kind.
PROOFS = int(os.environ.get("WATCHWORD_TEST_PROOFS", "300"))

Check = Callable[[bytes, bytes, Sequence[bytes]], None]


def inclusion(index: int, size: int) -> tuple[Check, bytes, list[bytes]]:
    """Return the check of a proof of inclusion, the leaf and the proof, made of its tiles alone."""
    tiles = {key: TILES[key] for key in tree.inclusion_tiles(index, size)}
    proof = tree.inclusion_proof(index, size, tiles)

    def check(leaf: bytes, root: bytes, hashes: Sequence[bytes]) -> None:
        check_inclusion(index, size, leaf, root, hashes)

    return check, tree.leaf_of(index, tiles), proof


def consistency(old: int, size: int) -> tuple[Check, bytes, list[bytes]]:
    """Return the check of a proof of consistency, the old root and the proof, made of its tiles alone."""
    tiles = {key: TILES[key] for key in tree.consistency_tiles(old, size)}
    proof = tree.consistency_proof(old, size, tiles)

    def check(old_root: bytes, root: bytes, hashes: Sequence[bytes]) -> None:
        check_consistency(old, size, old_root, root, hashes)

    return check, tree.root(old, TILES), proof


def flipped(value: bytes, bit: int) -> bytes:
    """Return bytes with one other bit."""
    changed = bytearray(value)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def holds_alone(made: tuple[Check, bytes, list[bytes]], size: int, bit: int) -> None:
    """Check that a proof verifies, and that nothing else does: a flipped bit, a hash more or less."""
    check, first, proof = made
    root = tree.root(size, TILES)
    check(first, root, proof)
    others = [
        (flipped(first, bit), root, proof),
        (first, flipped(root, bit), proof),
        (first, root, [*proof, first]),
        (first, root, [first, *proof]),
    ]
    if proof:
        others += [(first, root, proof[1:]), (first, root, proof[:-1])]
    others += [
        (first, root, [*proof[:at], flipped(each, bit), *proof[at + 1 :]])
        for at, each in enumerate(proof)
    ]
    for other in others:
        with pytest.raises(EvidenceError):
            check(*other)


@given(st.data(), st.integers(1, MOST), st.integers(0, 255))
def test_every_leaf_is_proved_to_be_in_the_tree(data: st.DataObject, size: int, bit: int) -> None:
    """The proof needs no tiles but those that are named before, which may be those of a larger tree."""
    index = data.draw(st.integers(0, size - 1))

    holds_alone(inclusion(index, size), size, bit)


@given(st.data(), st.integers(1, MOST), st.integers(0, 255))
def test_every_tree_is_proved_to_begin_with_an_older_one(
    data: st.DataObject, size: int, bit: int
) -> None:
    """The proof needs no tiles but those that are named before."""
    old = data.draw(st.integers(1, size - 1 or 1))

    holds_alone(consistency(old, size), size, bit)


def test_a_series_of_proofs_holds() -> None:
    """So many of each kind, half of them where tiles end (`WATCHWORD_TEST_PROOFS`)."""
    chance = random.Random(25)
    edges = [each + step for each in (256, 512, 65_280, 65_536, 65_792) for step in (-1, 0, 1)]
    for number in range(PROOFS):
        size = chance.choice([*edges, MOST]) if number % 2 else chance.randint(2, MOST)
        bit = chance.randrange(256)
        holds_alone(inclusion(chance.randrange(size), size), size, bit)
        holds_alone(consistency(chance.randint(1, size - 1), size), size, bit)


@pytest.mark.parametrize("size", range(1, 40))
def test_all_proofs_of_a_small_tree_are_those_of_the_definition(size: int) -> None:
    """Every leaf and every older tree, against the recursive definitions of RFC 6962 (2.1.1, 2.1.2)."""
    leaves = HASHES[:size]
    tiles = tree.extended(0, leaves, {})

    assert defined_root(leaves) == tree.root(size, tiles)
    for index in range(size):
        assert defined_path(index, leaves) == tree.inclusion_proof(index, size, tiles)
        proof = tree.consistency_proof(index + 1, size, tiles)
        assert defined_subproof(index + 1, leaves, True) == proof


def defined_root(leaves: Sequence[bytes]) -> bytes:
    """Return MTH(D[n])."""
    if len(leaves) == 1:
        return leaves[0]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    both = defined_root(leaves[:k]) + defined_root(leaves[k:])
    return hashlib.sha256(b"\1" + both).digest()


def defined_path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """Return PATH(m, D[n])."""
    if len(leaves) == 1:
        return []
    k = 1 << (len(leaves) - 1).bit_length() - 1
    if m < k:
        return [*defined_path(m, leaves[:k]), defined_root(leaves[k:])]
    return [*defined_path(m - k, leaves[k:]), defined_root(leaves[:k])]


def defined_subproof(m: int, leaves: Sequence[bytes], whole: bool) -> list[bytes]:
    """Return SUBPROOF(m, D[n], b)."""
    if m == len(leaves):
        return [] if whole else [defined_root(leaves)]
    k = 1 << (len(leaves) - 1).bit_length() - 1
    if m <= k:
        return [*defined_subproof(m, leaves[:k], whole), defined_root(leaves[k:])]
    return [*defined_subproof(m - k, leaves[k:], False), defined_root(leaves[:k])]


def test_tiles_are_those_of_the_published_example() -> None:
    """A tree of 70,000 leaves has the tiles that tlog-tiles lists."""
    widths = {key: len(tile) // 32 for key, tile in TILES.items()}

    assert widths == {
        **{(0, index): 256 for index in range(273)},
        (0, 273): 112,
        (1, 0): 256,
        (1, 1): 17,
        (2, 0): 1,
    }
    assert [(0, 273), (1, 1), (2, 0)] == tree.edge_tiles(MOST)
    whole = tree.extended(0, HASHES[:256], {})
    assert {(0, 0): 256, (1, 0): 1} == {key: len(tile) // 32 for key, tile in whole.items()}


def test_a_hash_of_a_higher_tile_is_the_root_of_a_tile_below() -> None:
    """As tlog-tiles defines it."""
    for index in (0, 1, 255):
        below = TILES[0, index]
        leaves = [below[at : at + 32] for at in range(0, len(below), 32)]
        assert defined_root(leaves) == TILES[1, 0][index * 32 : index * 32 + 32]


@given(st.lists(st.integers(0, 3000), max_size=5))
def test_a_tree_grows_in_steps_as_at_once(steps: list[int]) -> None:
    """Whatever the steps, the tiles are those of a tree that is built at once."""
    kept: dict[tree.TileKey, bytes] = {}
    size = 0
    for step in steps:
        edge = {key: kept[key] for key in tree.edge_tiles(size)}
        kept |= tree.extended(size, HASHES[size : size + step], edge)
        size += step

    assert tree.extended(0, HASHES[:size], {}) == kept


def test_an_unfinished_tile_of_another_size_is_refused() -> None:
    """A tree that has grown meanwhile, or lost a tile, is not extended."""
    edge = tree.extended(0, HASHES[:5], {})

    for other in ({}, {(0, 0): edge[0, 0][:-32]}, {(0, 0): edge[0, 0] + HASHES[9]}):
        with pytest.raises(tree.MissingTileError):
            tree.extended(5, HASHES[5:7], other)


def test_a_tile_that_is_missing_or_too_short_makes_no_proof() -> None:
    """A hash that is not there is never read as an empty one."""
    with pytest.raises(tree.MissingTileError):
        tree.inclusion_proof(0, 2, {})
    with pytest.raises(tree.MissingTileError):
        tree.root(3, {(0, 0): HASHES[0] + HASHES[1]})


@pytest.mark.parametrize(("old", "size"), [(0, 0), (0, 5), (6, 5), (-1, 5)])
def test_there_is_no_proof_outside_of_a_tree(old: int, size: int) -> None:
    """Neither of a leaf that it does not have, nor of an older tree that is empty or longer."""
    with pytest.raises(ValueError, match="a tree of"):
        tree.consistency_proof(old, size, TILES)
    with pytest.raises(ValueError, match="a tree of"):
        tree.inclusion_proof(size if old >= 0 else old, size, TILES)


def test_checks_refuse_what_is_outside_of_a_tree() -> None:
    """Indexes and sizes of a stranger's proof are checked before its hashes; an empty tree begins all."""
    root = tree.root(5, TILES)
    for index, size in ((5, 5), (-1, 5), (0, 0)):
        with pytest.raises(EvidenceError):
            check_inclusion(index, size, HASHES[0], root, [])
    for old, size in ((6, 5), (-1, 5)):
        with pytest.raises(EvidenceError):
            check_consistency(old, size, root, root, [])
    check_consistency(0, 5, tree.root(0, {}), root, [])
    check_consistency(5, 5, root, root, [])
    for old, old_root, proof in ((0, root, []), (5, HASHES[0], []), (5, root, [root])):
        with pytest.raises(EvidenceError):
            check_consistency(old, 5, old_root, root, proof)

"""Trees in tiles: every proof that they make verifies, at every size."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.application.evidence import tree
from watchword.verify_evidence import check_consistency, check_inclusion

MOST = 70_000
HASHES = [hashlib.sha256(str(each).encode()).digest() for each in range(MOST)]
TILES = tree.extended(0, HASHES, {})


@given(st.data(), st.integers(1, MOST))
def test_every_leaf_is_proved_to_be_in_the_tree(data: st.DataObject, size: int) -> None:
    """The proof needs no tiles but those that are named before, which may be those of a larger tree."""
    index = data.draw(st.integers(0, size - 1))
    tiles = {key: TILES[key] for key in tree.inclusion_tiles(index, size)}
    proof = tree.inclusion_proof(index, size, tiles)

    check_inclusion(index, size, tree.leaf_of(index, tiles), tree.root(size, TILES), proof)


@given(st.data(), st.integers(1, MOST))
def test_every_tree_is_proved_to_begin_with_an_older_one(data: st.DataObject, size: int) -> None:
    """The proof needs no tiles but those that are named before."""
    old = data.draw(st.integers(1, size))
    tiles = {key: TILES[key] for key in tree.consistency_tiles(old, size)}
    proof = tree.consistency_proof(old, size, tiles)

    check_consistency(old, size, tree.root(old, TILES), tree.root(size, TILES), proof)


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

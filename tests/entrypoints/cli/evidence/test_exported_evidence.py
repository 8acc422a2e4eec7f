"""`watchword audit export --evidence`: each line has what its leaf in the tree is made of (C-82)."""

from __future__ import annotations

import asyncio
import base64
import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.entrypoints.cli.conftest import Run
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.evidence.tree import root, root_tiles
from watchword.verify_evidence import HASH, digest, leaf_hash, leaf_text, node_hash


@pytest.fixture
def sealed(alone: Run, tmp_path: Path) -> tuple[int, bytes]:
    """Write a log, cover it with tiles, and return its size and root."""
    for name in ("shop", "tea house", "garden"):
        assert 0 == alone("accounts", "create", name).exit_code

    async def cover() -> tuple[int, bytes]:
        store = await SqliteEventStore.open(tmp_path / "watchword.db")
        try:
            size = await store.sealed_log.extend(1_000)
            return size, root(size, await store.sealed_log.tiles(root_tiles(size)))
        finally:
            await store.close()

    return asyncio.run(cover())


def read(lines: str) -> list[Any]:
    """Return the lines of an export."""
    return [json.loads(line) for line in lines.splitlines()]


def leaf(line: Any) -> bytes:
    """Return the hash of a line's leaf, from what the line says alone."""
    proof = line["evidence"]
    if "leaf" in proof:
        return base64.b64decode(proof["leaf"])
    opened = digest(proof["open"].encode())
    place = (line["position"], line["streamId"], line["version"], proof["topic"])
    return leaf_hash(leaf_text(*place, opened, proof["sealed"], proof["secret"]))


def root_of(leaves: Sequence[bytes]) -> bytes:
    """Return the root of a tree, by its definition (RFC 6962, 2.1)."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return node_hash(root_of(leaves[:half]), root_of(leaves[half:]))


def test_the_lines_lead_to_the_root(alone: Run, sealed: tuple[int, bytes]) -> None:
    """The tree over an export is the tree over the store."""
    size, wanted = sealed
    lines = read(alone("audit", "export", "--evidence").stdout)

    assert [*range(1, size + 1)] == [each["position"] for each in lines]
    assert wanted == root_of([leaf(each) for each in lines])


def test_a_line_is_an_event_with_one_more_member(alone: Run, sealed: tuple[int, bytes]) -> None:
    """Everything else stands as in an export without evidence, masked or not."""
    for mask in ((), ("--mask",)):
        plain = read(alone("audit", "export", *mask).stdout)
        proved = read(alone("audit", "export", "--evidence", *mask).stdout)

        assert plain == [
            {name: value for name, value in each.items() if name != "evidence"} for each in proved
        ]
        for each in proved:
            opened = json.loads(each["evidence"]["open"])
            assert (each["eventId"], each["actor"]) == (opened["id"], opened["actor"])


def test_an_event_that_was_dropped_has_its_leaf(
    alone: Run, sealed: tuple[int, bytes], tmp_path: Path
) -> None:
    """The tiles keep it, so the root stays, and another export goes on behind the line."""
    size, wanted = sealed
    with closing(sqlite3.connect(tmp_path / "watchword.db")) as connection, connection:
        connection.execute("DELETE FROM stored_events WHERE position IN (2, ?)", (size,))
    file = tmp_path / "log.jsonl"
    resumed = ("audit", "export", "--evidence", "--resume", "--output", str(file))
    assert [0, 0] == [alone(*resumed).exit_code for _ in range(2)]
    lines = read(file.read_text())

    assert [2, size] == [each["position"] for each in lines if "leaf" in each["evidence"]]
    assert {"position", "evidence"} == set(lines[1])
    assert HASH == len(leaf(lines[1]))
    assert wanted == root_of([leaf(each) for each in lines])


def test_an_event_that_is_missing_is_said(alone: Run, tmp_path: Path) -> None:
    """Without a tile nothing tells a gap from a deleted event, and no file is written."""
    for name in ("shop", "tea house"):
        alone("accounts", "create", name)
    with closing(sqlite3.connect(tmp_path / "watchword.db")) as connection, connection:
        connection.execute("DELETE FROM log_tiles")
        connection.execute("DELETE FROM stored_events WHERE position = 1")
    refused = alone("audit", "export", "--evidence", "--output", str(tmp_path / "log.jsonl"))

    assert 1 == refused.exit_code
    assert "Position 1 of the log has no leaf." in refused.stderr
    assert not (tmp_path / "log.jsonl").exists()


@pytest.mark.parametrize(
    "options", [["--csv"], ["--after", "1"], ["--type", "AccountCreated"], ["--from", "2031-05-04"]]
)
def test_nothing_is_left_out_of_evidence(alone: Run, options: list[str]) -> None:
    """A tree has all its leaves, so that a part of the log proves nothing."""
    refused = alone("audit", "export", "--evidence", *options)

    assert 2 == refused.exit_code
    assert "--evidence needs every event as JSON" in refused.stderr


def test_evidence_is_read_from_the_store(connected: Run) -> None:
    """A running service shows events, and no bytes."""
    refused = connected("audit", "export", "--evidence")

    assert 2 == refused.exit_code
    assert "Name it with --store or --data-dir." in refused.stderr

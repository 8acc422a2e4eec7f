"""Pass mark 1: every edit of a sealed file is named by position and kind (evidence.md, section 4)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest

from tests.application.evidence.edits import EDITS, OF_SEALED_EVENTS
from tests.application.evidence.log_signer import LogSigner
from tests.application.evidence.sealed_files import (
    HEADS,
    SIGNER,
    SIZE,
    UNSEALED,
    edited,
    grow,
    make,
    recompute,
    seal,
    verified,
)
from tests.contracts.event_store.histories import NOON
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.evidence.verifying_log import VerifyingLog
from watchword.application.journal import Journal
from watchword.verify_evidence import Finding

# The full series has 1,000 of each.
SERIES = int(os.environ.get("WATCHWORD_TEST_EDITS", "40"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for files."""
    return tmp_path_factory.mktemp("sealed")


@pytest.fixture(scope="module")
def whole(folder: Path) -> Path:
    """Return a sealed file."""
    asyncio.run(make(folder / "whole.db", folder / "older.db"))
    return folder / "whole.db"


def positions(findings: Iterable[Finding]) -> dict[str, set[int]]:
    """Return the positions that findings name, by kind."""
    found: dict[str, set[int]] = {}
    for each in findings:
        assert each.position is not None
        last = each.position if each.to is None else each.to
        assert last - each.position < 256
        found.setdefault(each.kind, set()).update(range(each.position, last + 1))
    return found


async def newest_head(path: Path) -> str:
    """Return the note of the newest head in a file."""
    with edited(path, path.with_suffix(".read")) as file:
        (note,) = file.execute("SELECT note FROM log_heads ORDER BY size DESC LIMIT 1").fetchone()
        return str(note)


async def test_a_whole_file_is_as_it_was_sealed(whole: Path) -> None:
    """Nothing is found, and the newest head covers all but the newest events."""
    result = await verified(whole, heads=[await newest_head(whole)])

    assert () == result.findings
    assert (SIZE, SIZE, SIZE + UNSEALED) == (
        result.covered and result.covered.size,
        result.sealed,
        result.events,
    )


@pytest.mark.parametrize("seed", range(SERIES))
async def test_every_edit_is_named(whole: Path, folder: Path, seed: int) -> None:
    """A single edit is found at its position, as its kind, and nothing else is."""
    random = Random(seed)
    edit = EDITS[seed % len(EDITS)]
    copy = folder / "edited.db"
    with edited(whole, copy) as file:
        expected = edit(random, file)

    result = await verified(copy)

    assert expected == positions(result.findings), edit.__name__


@pytest.mark.parametrize("seed", range(SERIES))
async def test_an_attacker_without_the_key_is_found(whole: Path, folder: Path, seed: int) -> None:
    """Tiles and heads that were made anew are not signed, or are signed by another key."""
    random = Random(seed)
    weeds = LogSigner(seed="weeds")

    def sign(size: int, new_root: bytes, note: str) -> tuple[str, bytes, str]:
        head = weeds.head(size, new_root, NOON + timedelta(seconds=size))
        _, _, signatures = note.rpartition("\n\n")
        text, _, _ = head.note.rpartition("\n\n")
        old = f"{text}\n\n{signatures}"
        return head.origin, head.root, random.choice((old, head.note))

    copy = folder / "edited.db"
    with edited(whole, copy) as file:
        random.choice(OF_SEALED_EVENTS)(random, file)
        recompute(file, sign)

    result = await verified(copy)

    assert result.findings
    assert "signature" in positions(result.findings)


@pytest.mark.parametrize("seed", range(SERIES))
async def test_an_attacker_with_the_key_is_found_by_an_older_head(
    whole: Path, folder: Path, seed: int
) -> None:
    """Whoever has the log key can sign another log, but not the one of a head that is kept elsewhere."""
    random = Random(seed)

    def sign(size: int, new_root: bytes, _: str) -> tuple[str, bytes, str]:
        head = SIGNER.head(size, new_root, NOON + timedelta(seconds=size))
        return head.origin, head.root, head.note

    copy = folder / "edited.db"
    with edited(whole, copy) as file:
        random.choice(OF_SEALED_EVENTS)(random, file)
        recompute(file, sign)

    assert () == (await verified(copy)).findings
    found = positions((await verified(copy, heads=[await newest_head(whole)])).findings)
    assert {"fork"} == set(found)


@pytest.mark.parametrize("seed", range(SERIES))
async def test_a_whole_log_raises_no_alarm(seed: int) -> None:
    """Whatever its length, and wherever its heads stand, nothing is found."""
    random = Random(seed)
    store = MemoryEventStore(vault=new_vault())
    size = 0
    notes = []
    for _ in range(random.randint(0, 4)):
        more = size + random.choice((1, 20, random.randint(1, 300)))
        await grow(store, size, more)
        await seal(store)
        size = more
        head = await store.sealed_log.newest_head()
        assert head is not None
        notes.append(head.note)
    await grow(store, size, size + random.randint(0, 20))

    result = await VerifyingLog(Journal(store)).verify(SIGNER.verifiers, notes)

    assert () == result.findings
    assert size == (result.covered.size if result.covered else 0)


@pytest.mark.parametrize("cell", ["x", b"\xff", 1.5, -1, "9" * 400])
async def test_a_tile_that_has_no_number_is_found(whole: Path, folder: Path, cell: object) -> None:
    """SQLite keeps any value in any column; such a tile is missing at its place, and no error."""
    path = folder / "typed.db"
    with edited(whole, path) as file:
        file.execute("UPDATE log_tiles SET tile = ? WHERE level = 0 AND tile = 1", (cell,))
    found = await verified(path)

    assert "tile" in positions(found.findings)


async def test_a_file_that_was_rolled_back_is_found_by_an_older_head(
    whole: Path, folder: Path
) -> None:
    """An older copy is whole, but ends before the head that is kept elsewhere."""
    older = folder / "older.db"

    assert () == (await verified(older)).findings
    found = positions((await verified(older, heads=[await newest_head(whole)])).findings)
    assert {"rollback": {*range(HEADS[-2] + 1, SIZE + 1)}} == found


@pytest.mark.parametrize("seed", range(SERIES))
async def test_a_tail_cut_with_its_tiles_and_heads_is_found_by_an_older_head(
    whole: Path, folder: Path, seed: int
) -> None:
    """What is left may be signed; the head that is kept elsewhere covers more."""
    size = Random(seed).choice(HEADS[:-1])
    copy = folder / "edited.db"
    with edited(whole, copy) as file:
        file.execute("DELETE FROM stored_events WHERE position > ?", (size,))
        file.execute("DELETE FROM log_heads WHERE size > ?", (size,))
        recompute(file, lambda size, root, note: ("garden/1", root, note))

    assert () == (await verified(copy)).findings
    found = positions((await verified(copy, heads=[await newest_head(whole)])).findings)
    assert {"rollback"} == set(found)
    assert size + 1 == min(found["rollback"])

"""Pass mark 1 by the command: whatever is edited in a sealed file, `audit verify --store` names it."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.application.evidence.edits import EDITS, OF_SEALED_EVENTS
from tests.application.evidence.log_signer import LogSigner
from tests.application.evidence.sealed_files import (
    SIGNER,
    SIZE,
    UNSEALED,
    edited,
    make,
    recompute,
    seal,
)
from tests.contracts.event_store.histories import NOON, step
from tests.entrypoints.cli.conftest import Run
from tests.vaults import new_vault
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.journal import beginning
from watchword.application.records.log_history import LOG_HISTORY_STREAM
from watchword.domain.log_history import LogKeyAdded, add_key, log_history_decider

# Each kind of edit once; the full series has 1,000 of each sort.
SERIES = int(os.environ.get("WATCHWORD_TEST_EDITS", str(len(EDITS))))
FEW = int(os.environ.get("WATCHWORD_TEST_EDITS", "5"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a sealed file, an older copy of it, its keys and its newest head."""
    folder = tmp_path_factory.mktemp("sealed")
    asyncio.run(make(folder / "whole.db", folder / "older.db"))
    (folder / "log.keys").write_text("\n".join(each.vkey for each in SIGNER.verifiers))
    with edited(folder / "whole.db", folder / "read.db") as file:
        (note,) = file.execute("SELECT note FROM log_heads ORDER BY size DESC LIMIT 1").fetchone()
    (folder / "head").write_text(note)
    return folder


def verified(run: Run, folder: Path, name: str, *words: str) -> tuple[int, Any]:
    """Verify a file of the folder; return the exit status and the report."""
    store = f"sqlite:///{folder / name}"
    keys = str(folder / "log.keys")
    done = run("audit", "verify", "--store", store, "--key", keys, "--json", *words)
    return done.exit_code, json.loads(done.stdout)


def positions(report: Any) -> Mapping[str, set[int]]:
    """Return the positions that a report names, by kind; each finding says what it found."""
    found: dict[str, set[int]] = {}
    for each in report["findings"]:
        assert set(each) <= {"position", "to", "kind", "detail"}
        assert each["detail"]
        last = each.get("to", each["position"])
        assert each["position"] <= last < each["position"] + 256
        found.setdefault(each["kind"], set()).update(range(each["position"], last + 1))
    return found


def test_a_whole_file_raises_no_alarm(alone: Run, folder: Path) -> None:
    """The exit status is 0, and the report says what was covered."""
    status, report = verified(alone, folder, "whole.db", "--head", str(folder / "head"))
    origin, size, root = (folder / "head").read_text().splitlines()[:3]

    assert (0, []) == (status, report["findings"])
    assert {"origin": origin, "size": int(size), "root": root} == report["covered"]
    assert SIZE == int(size)


def test_a_report_is_readable(alone: Run, folder: Path) -> None:
    """A sentence for a whole file, and a table of findings for another."""
    words = ("--key", str(folder / "log.keys"))
    whole = alone("audit", "verify", "--store", f"sqlite:///{folder / 'whole.db'}", *words)
    with edited(folder / "whole.db", folder / "table.db") as file:
        file.execute("UPDATE stored_events SET topic = 'PinSold/1' WHERE position = 7")
    changed = alone("audit", "verify", "--store", f"sqlite:///{folder / 'table.db'}", *words)

    assert (0, 1) == (whole.exit_code, changed.exit_code)
    assert [
        f"The store has {SIZE + UNSEALED} events. The tree has {SIZE}, of which retention took out 0.",
        f"Nothing is wrong. Covered: {SIZE} events of garden/1, signed at 2031-05-04T12:11:40.000Z.",
    ] == whole.stdout.splitlines()
    assert "1 finding" == changed.stdout.splitlines()[0]
    assert ["7", "changed"] == changed.stdout.splitlines()[3].split()[:2]


@pytest.mark.parametrize("seed", range(SERIES))
def test_every_edit_is_named(alone: Run, folder: Path, seed: int) -> None:
    """At its position, as its kind, and nothing else is."""
    edit = EDITS[seed % len(EDITS)]
    with edited(folder / "whole.db", folder / "edited.db") as file:
        expected = edit(Random(seed), file)
    status, report = verified(alone, folder, "edited.db")

    assert 1 == status
    assert expected == positions(report), edit.__name__


@pytest.mark.parametrize("seed", range(FEW))
def test_whoever_lacks_the_key_cannot_sign_another_history(
    alone: Run, folder: Path, seed: int
) -> None:
    """Tiles and heads that were made anew after an edit are found by their signatures."""
    weeds = LogSigner(seed="weeds")

    def sign(size: int, root: bytes, _: str) -> tuple[str, bytes, str]:
        head = weeds.head(size, root, NOON + timedelta(seconds=size))
        return head.origin, head.root, head.note

    random = Random(seed)
    with edited(folder / "whole.db", folder / "edited.db") as file:
        random.choice(OF_SEALED_EVENTS)(random, file)
        recompute(file, sign)
    status, report = verified(alone, folder, "edited.db")

    assert 1 == status
    assert "signature" in positions(report)


@pytest.mark.parametrize("seed", range(FEW))
def test_whoever_has_the_key_is_found_by_a_head_outside(
    alone: Run, folder: Path, seed: int
) -> None:
    """The store agrees with itself, and not with what it signed before."""

    def sign(size: int, root: bytes, _: str) -> tuple[str, bytes, str]:
        head = SIGNER.head(size, root, NOON + timedelta(seconds=size))
        return head.origin, head.root, head.note

    random = Random(seed)
    with edited(folder / "whole.db", folder / "edited.db") as file:
        random.choice(OF_SEALED_EVENTS)(random, file)
        recompute(file, sign)
    alone_status, _ = verified(alone, folder, "edited.db")
    status, report = verified(alone, folder, "edited.db", "--head", str(folder / "head"))

    assert (0, 1) == (alone_status, status)
    assert {"fork"} == set(positions(report))


def test_a_file_that_was_rolled_back_is_found_by_a_head_outside(alone: Run, folder: Path) -> None:
    """An older copy is whole; the head covers events that it lacks."""
    by_itself, _ = verified(alone, folder, "older.db")
    status, report = verified(alone, folder, "older.db", "--head", str(folder / "head"))

    assert (0, 1) == (by_itself, status)
    assert {"rollback"} == set(positions(report))


def test_a_store_without_tree_and_heads_is_a_finding(alone: Run, folder: Path) -> None:
    """Whoever deletes all evidence cannot pass the store off as one that is in order."""
    with edited(folder / "whole.db", folder / "bare.db") as file:
        file.execute("DELETE FROM log_tiles")
        file.execute("DELETE FROM log_heads")
    status, report = verified(alone, folder, "bare.db")

    assert (1, None) == (status, report["covered"])
    assert ["empty"] == [each["kind"] for each in report["findings"]]


def test_a_key_that_the_log_added_is_named(alone: Run, folder: Path) -> None:
    """Whoever can append to the log may have added it; an auditor who names it is not told."""
    weeds = LogSigner(seed="weeds")

    async def add() -> None:
        store = await SqliteEventStore.open(folder / "added.db", vault=new_vault())
        log_key, clock_key = (each.vkey for each in weeds.verifiers)
        added = add_key(None, LogKeyAdded(at=NOON, log_key=log_key, clock_key=clock_key))
        await store.append(step(beginning(log_history_decider, LOG_HISTORY_STREAM, added)))
        await seal(store)
        await store.close()

    asyncio.run(add())
    words = ("audit", "verify", "--store", f"sqlite:///{folder / 'added.db'}")
    told = alone(*words, "--key", str(folder / "log.keys"))
    named = alone(*words, "--key", str(folder / "log.keys"), "--key", weeds.verifiers[0].vkey)

    assert (0, 0) == (told.exit_code, named.exit_code)
    assert (
        f"The log added a key of its own at position 1, which --key does not name: {weeds.verifiers[0].vkey}."
        in told.stderr
    )
    assert weeds.verifiers[0].vkey not in named.stderr


def test_a_file_without_keys_names_none(alone: Run, folder: Path) -> None:
    """The keys that the log itself names would prove nothing, so they never stand in for the auditor's."""
    (folder / "no.keys").write_text("\n")
    store = f"sqlite:///{folder / 'whole.db'}"
    refused = alone("audit", "verify", "--store", store, "--key", str(folder / "no.keys"))

    assert 2 == refused.exit_code
    assert "There is no verifier key in it." in refused.stderr


def test_a_head_that_is_no_head_covers_nothing(alone: Run, folder: Path) -> None:
    """A damaged copy of a head is found, and is no comfort."""
    (folder / "damaged").write_text((folder / "head").read_text()[:-20])
    status, report = verified(alone, folder, "whole.db", "--head", str(folder / "damaged"))

    assert 1 == status
    assert {"signature"} == set(positions(report))

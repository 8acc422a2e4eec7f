"""`watchword rebuild`: of a running service, and of an idle store (C-81)."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.entrypoints.cli.conftest import Run

RENAME = "UPDATE accounts SET created_at = '2020-01-01T00:00:00.000000+00:00'"


def test_a_store_without_differences_is_left_alone(watchword: Run, account: str) -> None:
    """The command says how much it read, for people and for programs."""
    assert account
    said = watchword("rebuild")
    shown = watchword("rebuild", "--json", "--only", "accounts")

    assert 0 == said.exit_code, said.output
    assert said.stdout.startswith("Nothing was to be put right: ")
    assert ({}, {}, 0) == tuple(
        json.loads(shown.stdout)[each] for each in ("replaced", "removed", "flawed")
    )


def test_a_damaged_row_of_an_idle_store_is_replaced(alone: Run, tmp_path: Path) -> None:
    """A table names the list, and a second rebuild finds nothing."""
    assert 0 == alone("accounts", "create", "orchid").exit_code
    with closing(sqlite3.connect(tmp_path / "watchword.db")) as store, store:
        store.execute(RENAME)
    before = alone("audit", "check")
    rebuilt = alone("rebuild")
    after = alone("audit", "check")

    assert (1, 0, 0) == (before.exit_code, rebuilt.exit_code, after.exit_code), rebuilt.output
    assert ["accounts", "1", "0"] == rebuilt.stdout.splitlines()[-1].split()


def test_an_unknown_list_is_refused(alone: Run) -> None:
    """The refusal has the names of the lists."""
    refused = alone("rebuild", "--only", "teas")

    assert 2 == refused.exit_code
    assert "'verifications'" in refused.stderr

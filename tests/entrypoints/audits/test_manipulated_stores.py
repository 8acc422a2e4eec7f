"""An audit finds manipulations of a store without any signature (C-91)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.entrypoints.audits.audited_store import STORE, checked, settings_of
from tests.entrypoints.audits.manipulated_logs import (
    HOSTILE_EVENTS,
    MESSAGES,
    ORDER,
    PINS,
    PROVIDERS,
    SET_UP,
)
from tests.entrypoints.audits.manipulated_rows import DATABASE, FILES, HOSTILE, KEPT, ROWS
from tests.entrypoints.audits.manipulations import Case, one, sql
from watchword.application.audit.differences import Kind
from watchword.application.ports.event_store import StoreUnavailable
from watchword.entrypoints.composition.bootstrap import auditing, reading, restoring
from watchword.entrypoints.settings import Settings

Opening = Callable[[Settings], AbstractAsyncContextManager[object]]

CASES = (
    *ORDER,
    *HOSTILE_EVENTS,
    *PINS,
    *MESSAGES,
    *PROVIDERS,
    *SET_UP,
    *ROWS,
    *KEPT,
    *DATABASE,
    *HOSTILE,
    *FILES,
)


def test_a_copy_is_as_its_log_says(copy: Path) -> None:
    """Without a manipulation there is no difference."""
    assert () == checked(copy).differences


def test_without_the_code_key_all_else_is_compared(copy: Path) -> None:
    """What cannot be opened or computed differs from nothing, and a changed row is found all the same."""
    (copy / "code.key").unlink()
    assert () == checked(copy).differences

    sql("UPDATE holders SET subject = 'live-code:tea' WHERE subject LIKE 'live-code:%'")(copy)
    assert {Kind.HOLDER} == {each.kind for each in checked(copy).differences}


def test_there_are_more_manipulations_than_the_auditor_tried() -> None:
    """Fifty were tried, of which thirty were missed."""
    assert len(CASES) > 50
    assert len(CASES) == len({each.name for each in CASES})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_manipulation_is_found(case: Case, copy: Path) -> None:
    """Each is named by its kind, and by its position and id if it has them."""
    position = None if case.at is None else one(copy, case.at)
    whose = None if case.whose is None else one(copy, case.whose)
    case.change(copy)
    found = [each for each in checked(copy).differences if each.kind is case.kind]

    assert found
    if position is not None:
        assert position in [each.position for each in found]
    if whose is not None:
        assert whose in [each.id for each in found]


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE settings RENAME TO tea; CREATE VIEW settings AS"
        " WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n AS name, n AS value"
        " FROM r",
        "UPDATE settings SET value = 'tea'",
    ],
)
def test_a_store_that_is_none_is_refused(change: str, copy: Path) -> None:
    """A store of unknown release is not read any further."""
    sql(*change.split("; "))(copy)

    with pytest.raises(StoreUnavailable):
        checked(copy)


@pytest.mark.parametrize("opened", [auditing, reading])
@pytest.mark.parametrize("table", ["stored_events", "accounts", "uses"])
@pytest.mark.parametrize(
    "made",
    [
        "CREATE VIEW {} AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
        " SELECT n AS id FROM r",
        "CREATE TABLE {} (id, at AS (zeroblob(500000000)))",
    ],
)
async def test_a_table_that_is_none_is_not_read(
    made: str, table: str, opened: Opening, copy: Path
) -> None:
    """Exports, replays and lists refuse a store of which reading a table would run statements."""
    sql(f"ALTER TABLE {table} RENAME TO tea", made.format(table.upper()))(copy)

    with pytest.raises(StoreUnavailable, match=f"its {table.upper()} is no plain table"):
        await opened(settings_of(copy)).__aenter__()


def test_a_restore_puts_the_mark_back(copy: Path) -> None:
    """A backup in the place of its store is shorter than the mark says, until `restored` ends the rest."""

    async def restore() -> None:
        async with restoring(settings_of(copy)) as ending:
            await ending.restored(end_runs=True, no_head=True)

    (copy / f"{STORE}.mark").write_text('{"events": 1000000}')
    before = [str(each.kind) for each in checked(copy).differences]
    asyncio.run(restore())

    assert ["mark"] == before
    assert () == checked(copy).differences

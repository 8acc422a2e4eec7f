"""How SQLite answers what is asked of long lists: along an index, and never by looking at all rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from attrs import evolve

from tests.contracts.event_store.histories import NOON
from watchword.adapters.event_store.list_queries import page_statement
from watchword.adapters.event_store.sqlite import SqliteEventStore
from watchword.adapters.event_store.sqlite_batch import DELETES
from watchword.adapters.event_store.sqlite_reads import SQLITE
from watchword.adapters.event_store.tables import ROW_TABLES
from watchword.application.ports.listings import (
    AtLeast,
    Below,
    Either,
    Equals,
    Filter,
    Present,
    Query,
)
from watchword.application.read_models.rows import ROWS, MessageRow, Row

ACCOUNT = Equals("account_id", "account-tea")
PERSON = Equals("person_canonical", "919812345610")
NUMBER = Either(((PERSON,), (Equals("own_canonical", "919812345610"),)))
SMS = Equals("channel", "sms")
BETWEEN = (AtLeast("created_at", NOON), Below("created_at", NOON))


@pytest.mark.parametrize(
    ("where", "indexes"),
    [
        ((ACCOUNT,), ["messages_by_time (account_id=?)"]),
        ((ACCOUNT, SMS), ["messages_by_channel (account_id=? AND channel=?)"]),
        (
            (ACCOUNT, SMS, *BETWEEN),
            ["messages_by_channel (account_id=? AND channel=? AND created_at>? AND created_at<?)"],
        ),
        (
            (ACCOUNT, NUMBER),
            [
                "messages_by_person (account_id=? AND person_canonical=?)",
                "inbound_messages_by_own (account_id=? AND own_canonical=?)",
            ],
        ),
        (
            (ACCOUNT, NUMBER, evolve(SMS, in_passing=True), *BETWEEN),
            [
                "messages_by_person (account_id=? AND person_canonical=?"
                " AND created_at>? AND created_at<?)",
                "inbound_messages_by_own (account_id=? AND own_canonical=?"
                " AND created_at>? AND created_at<?)",
            ],
        ),
        (
            (ACCOUNT, PERSON, SMS, Present("own_canonical"), BETWEEN[0]),
            [
                "inbound_messages_by_person (account_id=? AND person_canonical=? AND channel=?"
                " AND created_at>?)"
            ],
        ),
    ],
)
async def test_messages_are_listed_along_an_index(
    path: Path, where: tuple[Filter, ...], indexes: list[str]
) -> None:
    """However many there are, nothing is scanned, gathered or sorted."""
    await (await SqliteEventStore.open(path)).close()
    query = Query(rows=MessageRow, where=where)
    plan = explained(path, *SQLITE.asked(page_statement, query))

    assert [f"SEARCH messages USING INDEX {each}" for each in indexes] == [
        line for line in plan if line not in ("MERGE (UNION ALL)", "LEFT", "RIGHT")
    ]


@pytest.mark.parametrize("kind", ROWS)
async def test_rows_are_found_by_their_keys(path: Path, kind: type[Row]) -> None:
    """Each is one seek in the index of the keys."""
    await (await SqliteEventStore.open(path)).close()
    table = ROW_TABLES[kind]
    plan = explained(path, SQLITE.by_key(table), ["[]"])

    assert f"sqlite_autoindex_{table.name}_1 ({table.key}=?)" in plan[0]
    assert not any(f"SCAN {table.name}" in line for line in plan)


def explained(path: Path, statement: str, given: Sequence[object]) -> list[str]:
    """Give the steps by which the database answers."""
    with closing(sqlite3.connect(path)) as connection:
        return [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", given)]


@pytest.mark.parametrize("statement", DELETES)
async def test_what_is_taken_out_is_found_by_its_key(tmp_path: Path, statement: str) -> None:
    """However much else is held or waits: a commit would read all of it otherwise."""
    path = tmp_path / "store.db"
    await (await SqliteEventStore.open(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        keys = ("x",) * statement.count("?")
        steps = connection.execute(f"EXPLAIN QUERY PLAN {statement}", keys).fetchall()

    assert ["SEARCH"] == [str(step[3]).split(maxsplit=1)[0] for step in steps]

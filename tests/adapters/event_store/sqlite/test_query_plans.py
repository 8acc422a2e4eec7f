"""SQLite answers questions about long lists along an index, and never reads all rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.contracts.event_store.histories import NOON
from watchword.adapters.event_store.batch.packing import ROW_SHAPES
from watchword.adapters.event_store.postgres.reads import POSTGRES
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.adapters.event_store.rows.erasing import blanking, dropping_holders
from watchword.adapters.event_store.rows.list_queries import page_statement, total_statement
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.adapters.event_store.sql.people_reads import (
    ANY_UNDER,
    KEYS_UNDER,
    keys_of,
    people_by,
)
from watchword.adapters.event_store.sql.writes import (
    DROP_BUDGETS,
    FORGET_ABOUT,
    FORGET_TALLIES,
    REWRAP,
)
from watchword.adapters.event_store.sqlite.batch import BY_KEYS, removal
from watchword.adapters.event_store.sqlite.reads import SQLITE
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.listings import (
    AtLeast,
    Below,
    Either,
    Equals,
    Filter,
    Missing,
    Present,
    Query,
)
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.application.records.callback_endpoint import CallbackEndpointRow
from watchword.application.records.consent import ConsentRow
from watchword.application.records.fallback_run import FallbackRunRow
from watchword.application.records.message import MessageRow
from watchword.application.records.message_template import MessageTemplateRow
from watchword.application.records.read_model import Row
from watchword.application.records.refused_sends import RefusedSendsRow
from watchword.application.records.short_link import ShortLinkRow

ACCOUNT = Equals("account_id", "account-tea")
PERSON = Equals("person_id", "per_guest")
NUMBER = Either(((PERSON,), (Equals("own_canonical", "919812345610"),)))
SMS = Equals("channel", "sms")
BETWEEN = (AtLeast("created_at", NOON), Below("created_at", NOON))
FAILED = Equals("status", "failed")
REFERENCE = Equals("reference", "order-4711")
TAG = Equals("tag2", "spring")
LEGACY = Equals("resource_type", "legacy")
OTHERS = (SMS, FAILED)
MANY_MESSAGES = """
INSERT INTO messages (id, account_id, direction, channel, channel_account_id, account_side,
    person_id, reference, resource_type, tag2, callback_url, created_at, status,
    events, updated_at)
SELECT 'msg_' || n, CASE WHEN n % 4 = 0 THEN 'account-tea' ELSE 'account-pot' END,
    'outbound', CASE WHEN n % 100 = 4 THEN 'sms' ELSE 'rcs' END, 'cha_tea', 'TEAHSE',
    'per_' || n, 'order-' || n,
    CASE WHEN n % 100 = 12 THEN 'legacy' END, CASE WHEN n % 400 = 12 THEN 'spring' END,
    CASE WHEN n % 200 = 12 THEN 'https://tea.example/' END, '2031-05-04T12:' || lpad((n % 60)::text, 2, '0'),
    CASE WHEN n % 100 = 8 THEN 'failed' ELSE 'sent' END, '[]', '2031-05-04T13'
FROM generate_series(1, 20000) AS n
"""
# The filters of a report, and the index that each uses (C-37, D-79).
REPORTS = [
    ((), "all_messages_by_time"),
    (BETWEEN, "all_messages_by_time (created_at>? AND created_at<?)"),
    ((ACCOUNT, FAILED), "messages_by_status (account_id=? AND status=?)"),
    (
        (ACCOUNT, FAILED, SMS, *BETWEEN),
        "messages_by_status (account_id=? AND status=? AND created_at>? AND created_at<?)",
    ),
    ((ACCOUNT, PERSON, *OTHERS), "messages_by_person (person_id=?)"),
    ((ACCOUNT, REFERENCE, *OTHERS), "messages_by_reference (account_id=? AND reference=?)"),
    (
        (ACCOUNT, SMS, Equals("channel_account_id", "cha_tea")),
        "messages_by_channel (account_id=? AND channel=?)",
    ),
    ((ACCOUNT, TAG), "messages_by_tag2 (account_id=? AND tag2=?)"),
    (
        (ACCOUNT, TAG, LEGACY, *BETWEEN),
        "messages_by_tag2 (account_id=? AND tag2=? AND created_at>? AND created_at<?)",
    ),
    ((ACCOUNT, LEGACY), "messages_by_resource_type (account_id=? AND resource_type=?)"),
    ((ACCOUNT, Missing("resource_type")), "messages_by_time (account_id=?)"),
    ((Present("callback_url"),), "messages_called_back"),
    ((ACCOUNT, Equals("direction", "inbound")), "messages_by_time (account_id=?)"),
]


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
                "messages_by_person (person_id=?)",
                "inbound_messages_by_own (account_id=? AND own_canonical=?)",
            ],
        ),
        (
            (ACCOUNT, NUMBER, SMS, *BETWEEN),
            [
                "messages_by_person (person_id=? AND created_at>? AND created_at<?)",
                "inbound_messages_by_own (account_id=? AND own_canonical=?"
                " AND created_at>? AND created_at<?)",
            ],
        ),
        (
            (PERSON, SMS, Present("own_canonical"), BETWEEN[0]),
            ["inbound_messages_by_person (person_id=? AND channel=? AND created_at>?)"],
        ),
    ],
)
async def test_messages_are_listed_along_an_index(
    path: Path, where: tuple[Filter, ...], indexes: list[str]
) -> None:
    """Nothing is scanned, gathered or sorted, in a list of any length."""
    await (await SqliteEventStore.open(path)).close()
    query = Query(rows=MessageRow, where=where)
    plan = explained(path, *SQLITE.asked(page_statement, query))

    assert [f"SEARCH messages USING INDEX {each}" for each in indexes] == [
        line for line in plan if line not in ("MERGE (UNION ALL)", "LEFT", "RIGHT")
    ]


@pytest.mark.parametrize(("where", "index"), REPORTS)
async def test_a_report_goes_along_one_index(
    path: Path, where: tuple[Filter, ...], index: str
) -> None:
    """The page in its order, unsorted, and the count as far as it is counted."""
    await (await SqliteEventStore.open(path)).close()
    query = Query(rows=MessageRow, where=where, counted_to=10_000)
    page = explained(path, *SQLITE.asked(page_statement, query))
    total = explained(path, *SQLITE.asked(total_statement, query))
    way = "SEARCH" if "(" in index else "SCAN"

    assert [f"{way} messages USING INDEX {index}"] == page
    assert any(line.startswith(f"{way} messages") for line in total)
    assert not any("SCAN messages" in line and "INDEX" not in line for line in total)
    assert not any("TEMP B-TREE" in line for line in total)


async def test_postgresql_goes_along_the_same_indexes(postgres_url: str) -> None:
    """With as many messages as make a difference; nothing is scanned, gathered or sorted."""
    await (await PostgresEventStore.open(postgres_url)).close()
    with psycopg.connect(postgres_url) as connection:
        connection.execute(MANY_MESSAGES)
        connection.execute("ANALYZE messages")
        # PostgreSQL uses these for a few hundred rows, and not for more.
        connection.execute("SET enable_bitmapscan = off; SET enable_sort = off")
        for where, index in REPORTS:
            query = Query(rows=MessageRow, where=where, counted_to=10_000)
            statement, given = POSTGRES.asked(page_statement, query)
            found = connection.execute(f"EXPLAIN {statement.replace('?', '%s')}", given).fetchall()
            plan = "\n".join(row[0] for row in found)

            # A narrow time may be the better way.
            name = index.partition(" ")[0] if "created_at" not in index else ""
            assert f"Index Scan Backward using {name}" in plan
            assert not any(way in plan for way in ("Sort", "Seq Scan", "Bitmap"))


@pytest.mark.parametrize(
    ("rows", "where", "index"),
    [
        (
            CallbackDeliveryRow,
            Equals("endpoint_id", "callback-tea"),
            "callback_deliveries_by_endpoint (endpoint_id=?)",
        ),
        (
            CallbackEndpointRow,
            Equals("account_id", "account-tea"),
            "callback_endpoints_by_account (account_id=?)",
        ),
        (CallbackEndpointRow, Missing("removed_at"), "callback_endpoints_by_end (removed_at=?)"),
    ],
)
async def test_callbacks_are_listed_along_an_index(
    path: Path, rows: type[Row], where: Filter, index: str
) -> None:
    """Live endpoints are found along an index too, after every stretch of the log."""
    await (await SqliteEventStore.open(path)).close()
    query = Query(rows=rows, where=(where,))
    table = ROW_TABLES[rows].name

    assert [f"SEARCH {table} USING INDEX {index}"] == explained(
        path, *SQLITE.asked(page_statement, query)
    )


@pytest.mark.parametrize(
    ("where", "index"),
    [
        ((), "message_templates_by_account (account_id=? AND channel=?)"),
        (
            (AtLeast("created_at", NOON), FAILED),
            "message_templates_by_account (account_id=? AND channel=? AND created_at>?)",
        ),
        (
            (Equals("name", "teas"), Equals("sender_profile", "TeaHouse")),
            "message_templates_by_name (account_id=? AND channel=? AND name=?)",
        ),
    ],
)
async def test_templates_are_fetched_along_an_index(
    path: Path, where: tuple[Filter, ...], index: str
) -> None:
    """Along time, or along a name; nothing is sorted."""
    await (await SqliteEventStore.open(path)).close()
    query = Query(rows=MessageTemplateRow, where=(ACCOUNT, Equals("channel", "rcs"), *where))

    assert [f"SEARCH message_templates USING INDEX {index}"] == explained(
        path, *SQLITE.asked(page_statement, query)
    )


async def test_an_opt_list_is_listed_along_an_index(path: Path) -> None:
    """The length of the list does not matter."""
    await (await SqliteEventStore.open(path)).close()
    where = (ACCOUNT, Equals("channel", "whatsapp"), Equals("opt_list", "out"))
    query = Query(rows=ConsentRow, where=where, order_by="since")
    index = "consents_by_list (account_id=? AND channel=? AND opt_list=?)"

    assert [f"SEARCH consents USING INDEX {index}"] == explained(
        path, *SQLITE.asked(page_statement, query)
    )


@pytest.mark.parametrize(
    ("where", "index"),
    [
        ((), "refused_sends_by_time (verdict=? AND since>?)"),
        ((ACCOUNT,), "refused_sends_by_account (account_id=? AND verdict=? AND since>?)"),
        (
            (ACCOUNT, Equals("rule", "guesses")),
            "refused_sends_by_rule (account_id=? AND verdict=? AND rule=? AND since>?)",
        ),
    ],
)
async def test_what_is_refused_now_is_listed_along_an_index(
    path: Path, where: tuple[Filter, ...], index: str
) -> None:
    """A day of it is read at most, however long the guard has refused sends."""
    await (await SqliteEventStore.open(path)).close()
    now = (Equals("verdict", "refused"), AtLeast("since", NOON), AtLeast("listed_until", NOON))
    query = Query(rows=RefusedSendsRow, where=(*now, *where), order_by="since", counted_to=10_000)

    assert [f"SEARCH refused_sends USING INDEX {index}"] == explained(
        path, *SQLITE.asked(page_statement, query)
    )


@pytest.mark.parametrize(
    ("rows", "order_by"),
    [
        (MessageRow, "created_at"),
        (FallbackRunRow, "created_at"),
        (CallbackDeliveryRow, "created_at"),
        (ConsentRow, "since"),
        (ShortLinkRow, "created_at"),
        (RefusedSendsRow, "since"),
    ],
)
async def test_what_a_person_has_is_listed_along_an_index(
    path: Path, rows: type[Row], order_by: str
) -> None:
    """An erasure reads the rows of its person, whatever the number of the others (C-74)."""
    await (await SqliteEventStore.open(path)).close()
    query = Query(rows=rows, where=(PERSON,), order_by=order_by, descending=False)
    table = ROW_TABLES[rows].name

    assert [f"SEARCH {table} USING INDEX {table}_by_person (person_id=?)"] == explained(
        path, *SQLITE.asked(page_statement, query)
    )


@pytest.mark.parametrize(
    "statement",
    [
        people_by(SQLITE, "hmac"),
        people_by(SQLITE, "person"),
        keys_of(SQLITE),
        *KEYS_UNDER,
        ANY_UNDER,
        *REWRAP,
        *dropping_holders(),
        *blanking(),
        FORGET_ABOUT,
        DROP_BUDGETS,
        FORGET_TALLIES,
    ],
)
async def test_people_are_found_by_keys(path: Path, statement: str) -> None:
    """No look-up, rotation, erasure or clean-up reads a table whole, nor sorts one."""
    await (await SqliteEventStore.open(path)).close()
    plan = explained(path, statement, ["[]"] * statement.count("?"))

    assert [] == [
        line
        for line in plan
        if ("SCAN" in line and "json_each" not in line and "CONSTANT" not in line)
        or "TEMP B-TREE" in line
    ]


@pytest.mark.parametrize("kind", ROW_TABLES)
async def test_rows_are_found_by_their_keys(path: Path, kind: type[Row]) -> None:
    """Each is one seek in the index of the keys."""
    await (await SqliteEventStore.open(path)).close()
    table = ROW_TABLES[kind]
    plan = explained(path, SQLITE.by_key(table), ["[]"])

    assert f"sqlite_autoindex_{table.name}_1 ({table.key}=?)" in plan[0]
    assert not any(f"SCAN {table.name}" in line for line in plan)


def explained(path: Path, statement: str, given: Sequence[object]) -> list[str]:
    """Return the steps by which the database answers."""
    with closing(sqlite3.connect(path)) as connection:
        return [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", given)]


@pytest.mark.parametrize("statement", [*BY_KEYS, *map(removal, ROW_SHAPES.values())])
async def test_what_is_taken_out_or_changed_is_found_by_its_key(
    tmp_path: Path, statement: str
) -> None:
    """Otherwise a commit would read all other holders and due rows."""
    path = tmp_path / "store.db"
    await (await SqliteEventStore.open(path)).close()
    with closing(sqlite3.connect(path)) as connection:
        keys = ("x",) * statement.count("?")
        steps = connection.execute(f"EXPLAIN QUERY PLAN {statement}", keys).fetchall()

    assert ["SEARCH"] == [str(step[3]).split(maxsplit=1)[0] for step in steps]

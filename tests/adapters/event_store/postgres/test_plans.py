"""PostgreSQL answers questions about long tables along an index, and reads no more than it must."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from typing import Any

import psycopg
import pytest

from benchmarks.long_stores.seeding import Seeded, seed
from tests.databases import Databases
from tests.fakes.asked_lists import AskedLists
from watchword.adapters.clock import SystemClock
from watchword.adapters.event_store.postgres.batch import (
    ALL_FACTS,
    BY_KEYS,
    FACTS,
    REMOVALS,
)
from watchword.adapters.event_store.postgres.reads import KEYS, LOADED, POSTGRES
from watchword.adapters.event_store.rows.erasing import blanking, dropping_holders
from watchword.adapters.event_store.rows.list_queries import page_statement, total_statement
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.adapters.event_store.sql.people_reads import (
    ANY_UNDER,
    KEYS_UNDER,
    keys_of,
    people_by,
)
from watchword.adapters.event_store.sql.reads import DUE, NEXT_DUE
from watchword.adapters.event_store.sql.writes import (
    DROP_BUDGETS,
    FORGET_ABOUT,
    FORGET_TALLIES,
    REWRAP,
)
from watchword.adapters.vault import Vault
from watchword.application.journal import Journal
from watchword.application.messages.looking_up.reading_histories import (
    HistorySearch,
    ReadingHistories,
)
from watchword.application.paging import Paging
from watchword.application.people.people import People
from watchword.application.pins.searching_verifications import (
    SearchingVerifications,
    VerificationSearch,
)
from watchword.application.records.message import MessageRow
from watchword.application.records.pin import VerificationRow
from watchword.application.records.read_model import Row
from watchword.domain.channel import Channel
from watchword.domain.pin import PinStatus
from watchword.entrypoints.demo.seeding import TEMPLATE_ID
from watchword.entrypoints.settings import Settings

PINS = 12_000
COUNTED = 10_000
PAGE = 25
# Rows of a page, on each of the two ways that a row can be on a list.
LOOKED_AT = 2 * PAGE + 2
NOW = datetime.now(UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def store(
    postgres_server: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Seeded]]:
    """Yield the URL of a store with much of everything, and its contents."""
    url = postgres_server.new()
    settings = Settings(store=url, data_dir=tmp_path_factory.mktemp("node"), sandbox=True)
    try:
        seeded = asyncio.run(seed(settings, PINS, originals=20))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(MORE)
            connection.execute("VACUUM ANALYZE")
        yield url, seeded
    finally:
        postgres_server.drop(url)


@pytest.mark.parametrize(
    "search",
    [
        {},
        {"account_id": "account_id"},
        {"template_id": "template_id"},
        {"account_id": "account_id", "reference_id": "reference_id"},
        {"account_id": "account_id", "destination": "number"},
        {"account_id": "account_id", "template_id": "template_id"},
        {"account_id": "nobody"},
        {"account_id": "account_id", "destination": "number", "template_id": "template_id"},
        {"since": NOW - HOUR, "until": NOW},
        {"status": PinStatus.VERIFIED, "channel": Channel.SMS},
        {"channel": Channel.SMS},
        {"channel": Channel.EMAIL},
        {"account_id": "account_id", "channel": Channel.EMAIL},
        {"account_id": "account_id", "channel": Channel.EMAIL, "since": NOW - HOUR},
    ],
)
async def test_pins_are_searched_along_an_index(
    store: tuple[str, Seeded], search: dict[str, Any]
) -> None:
    """A page costs its rows, and a total the rows that it counts, in a store of any size (D-63)."""
    url, seeded = store
    asked = AskedLists()
    journal = Journal(asked)  # type: ignore[arg-type]  # lists are all of a store that is asked
    searching = SearchingVerifications(journal, SystemClock(), People(journal, Vault.random()))
    await searching.search(VerificationSearch(**given(search, seeded)), Paging())
    query = asked.queries[-1]

    assert looked_at(url, *POSTGRES.asked(page_statement, query)) <= LOOKED_AT
    assert looked_at(url, *POSTGRES.asked(total_statement, query)) <= COUNTED


@pytest.mark.parametrize(
    "search",
    [
        {},
        {"recipient": "number"},
        {"channel": Channel.SMS},
        {"channel": Channel.EMAIL},
        {"recipient": "number", "channel": Channel.SMS},
        {"since": NOW - HOUR, "until": NOW},
    ],
)
async def test_histories_are_told_along_an_index(
    store: tuple[str, Seeded], search: dict[str, Any]
) -> None:
    """The same for messages, which are never counted (D-40)."""
    url, seeded = store
    asked = AskedLists()
    journal = Journal(asked)  # type: ignore[arg-type]  # as above
    following = ReadingHistories(journal, People(journal, Vault.random()))
    await following.history(seeded.account_id, HistorySearch(**given(search, seeded)))
    (query,) = asked.queries

    assert looked_at(url, *POSTGRES.asked(page_statement, query)) <= LOOKED_AT


@pytest.mark.parametrize("kind", [VerificationRow, MessageRow])
def test_rows_are_found_by_their_keys(store: tuple[str, Seeded], kind: type[Row]) -> None:
    """Each costs itself."""
    url, seeded = store
    keys = [seeded.pin_id, seeded.message_id]

    assert 1 == looked_at(url, marked(POSTGRES.by_key(ROW_TABLES[kind])), [keys])


@pytest.mark.parametrize(
    ("statement", "values"),
    [(DUE, ("fallback", "2026-06-01", PAGE)), (NEXT_DUE, ("fallback",)), (DUE, ("none", "3", 1))],
)
def test_due_work_is_found_at_its_end(
    store: tuple[str, Seeded], statement: str, values: Sequence[Any]
) -> None:
    """The number of waiting rows does not matter."""
    assert looked_at(store[0], marked(statement), values) <= PAGE


@pytest.mark.parametrize(
    "text", [FACTS, ALL_FACTS, KEYS, LOADED, REMOVALS["verifications"], *BY_KEYS]
)
def test_appends_and_loads_go_by_keys(store: tuple[str, Seeded], text: str) -> None:
    """Each statement is planned once, without hints for the planner."""
    numbers = count(1)
    with psycopg.connect(store[0], autocommit=True) as connection:
        connection.execute("SET plan_cache_mode = force_generic_plan")
        for _ in range(text.count("%s")):
            text = text.replace("%s", f"${next(numbers)}", 1)
        connection.execute(f"PREPARE asked AS {text}")
        nothing = ", ".join(["'[]'"] * (next(numbers) - 1))
        plan = explained(connection, f"EXPLAIN (FORMAT JSON) EXECUTE asked({nothing})")

    assert [] == [each["Relation Name"] for each in steps(plan) if "Seq" in each["Node Type"]]
    assert any("Index" in each["Node Type"] for each in steps(plan))


# Some of the people in the store.
SOME = [f"per_{number}" for number in range(1, 11)]
HMACS = [sha256(str(number).encode()).hexdigest() for number in range(1, 11)]


@pytest.mark.parametrize(
    ("statement", "values", "most"),
    [
        (people_by(POSTGRES, "hmac"), (HMACS,), 10),
        (people_by(POSTGRES, "person"), (SOME,), 10),
        (keys_of(POSTGRES), (SOME, SOME), 10),
        (KEYS_UNDER[0], (1, "per_5", PAGE), PAGE),
        (KEYS_UNDER[1], (1, "run_5", PAGE), PAGE),
        (ANY_UNDER, (9, 9), 0),
        (REWRAP[0], (1, b"", "per_5", 1, b""), 2),
        (REWRAP[1], (1, b"", "run_5", 1, b""), 2),
        *((each, ("per_5",), 0) for each in dropping_holders()),
        *((each, ("per_5", PAGE), 0) for each in blanking()),
        (FORGET_ABOUT, ("per_5", PAGE), 0),
        (DROP_BUDGETS, ("prefix-5", "prefix-6"), 700),
        (FORGET_TALLIES, (9_000, PAGE), 3 * PAGE),
    ],
)
def test_people_are_found_by_keys(
    store: tuple[str, Seeded], statement: str, values: Sequence[Any], most: int
) -> None:
    """A send to many, a rotation and a clean-up read what they are about, and nothing else."""
    assert looked_at(store[0], marked(statement), values) <= most


def given(search: dict[str, Any], seeded: Seeded) -> dict[str, Any]:
    """Return a search with what is in the store in place of its names."""
    known = {
        "account_id": seeded.account_id,
        "number": seeded.number,
        "reference_id": f"ref-{seeded.pin_id}",
        "template_id": TEMPLATE_ID,
    }
    return {name: known.get(value, value) for name, value in search.items()}


def marked(statement: str) -> str:
    """Return a statement with its values marked as the driver has it."""
    return statement.replace("?", "%s")


def looked_at(url: str, statement: str, values: Sequence[Any]) -> int:
    """Run a statement, and return how many rows it read."""
    with psycopg.connect(url, autocommit=True) as connection:
        plan = explained(connection, f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", values)
    return round(
        sum(
            (each["Actual Rows"] + each.get("Rows Removed by Filter", 0)) * each["Actual Loops"]
            for each in steps(plan)
            if "Relation Name" in each
        )
    )


def explained(
    connection: psycopg.Connection[Any], statement: str, values: Sequence[Any] | None = None
) -> dict[str, Any]:
    """Return the plan of an explained statement."""
    (((planned,),),) = connection.execute(statement, values).fetchall()
    plan: dict[str, Any] = planned["Plan"]
    return plan


def steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a plan's steps."""
    yield plan
    for inner in plan.get("Plans", ()):
        yield from steps(inner)


MORE = """
INSERT INTO due SELECT 'fallback', 'run_' || n, 1,
  (timestamp '2026-01-01' + n * interval '1 hour')::text FROM generate_series(1, 12000) n;
INSERT INTO idempotency_keys SELECT 'key-' || n, '', '', 0, '' FROM generate_series(1, 12000) n;
INSERT INTO positions SELECT 'endpoint-' || n, n FROM generate_series(1, 12000) n;
INSERT INTO seal_keys SELECT 'run_' || n, 1, '' FROM generate_series(1, 12000) n;
INSERT INTO people SELECT encode(sha256(n::text::bytea), 'hex'), 'acc_tea', 'per_' || n, '', 1
  FROM generate_series(1, 12000) n;
INSERT INTO tallies SELECT 'prefix-' || n / 60, n, 2, 1, n FROM generate_series(1, 12000) n;
"""

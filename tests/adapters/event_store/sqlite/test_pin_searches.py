"""SQLite searches PINs along the index of the filter, in a store of any size."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.event_store.histories import NOON
from watchword.adapters.clock import SystemClock
from watchword.adapters.event_store.sql import list_reads
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.vault import Vault
from watchword.application.journal import Journal
from watchword.application.paging import Paging
from watchword.application.people.people import People
from watchword.application.pins.searching_verifications import (
    SearchingVerifications,
    VerificationSearch,
)
from watchword.application.ports.event_store import Append
from watchword.domain.channel import Channel
from watchword.domain.pin import PinStatus

MANY = """
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
INSERT INTO verifications
SELECT 'pin_' || n, 'acc_tea', 'tpl_tea', 'per_1', NULL, 0, 1, '2031-05-04T12:00:00.000000+00:00',
    'PENDING', 3, '2099-05-04T12:00:00.000000+00:00', '2031-05-04T12:00:00.000000+00:00', NULL, '[]',
    ',sms,', '0001', NULL
FROM numbers
"""


@contextmanager
def asked(store: SqliteEventStore) -> Iterator[list[tuple[str, Sequence[Any]]]]:
    """Record the list queries of a store."""
    statements: list[tuple[str, Sequence[Any]]] = []
    fetch = store._lists._fetch

    def taken_down(statement: str, values: Sequence[Any]) -> list[Any]:
        statements.append((statement, values))
        return fetch(statement, values)

    store._lists._fetch = taken_down
    yield statements
    store._lists._fetch = fetch


async def search(store: SqliteEventStore, **narrowed: Any) -> Any:
    """Search for PINs, and return the first page."""
    journal, vault = Journal(store), Vault.random()
    met = People(journal, vault).recall_or_create("a", "+91")
    await store.append(Append(at=NOON, actor="", request_id="", new_people=met.new_people))
    searching = SearchingVerifications(journal, SystemClock(), People(journal, vault))
    return await searching.search(VerificationSearch(**narrowed), Paging())


@pytest.mark.parametrize("channel", [None, Channel.EMAIL])
async def test_live_codes_are_gathered_by_their_expiry(
    store: SqliteEventStore, path: Path, channel: Channel | None
) -> None:
    """PINs that nobody verified are pending in their rows, and do not slow the search."""
    with asked(store) as statements:
        await search(
            store, status=PinStatus.PENDING, account_id="a", template_id="t", channel=channel
        )
    (gathering,) = statements

    assert ["SEARCH verifications USING INDEX verifications_by_expiry (expires_at>?)"] == plan(
        path, gathering
    )[:1]


async def test_many_live_codes_are_listed_page_by_page(store: SqliteEventStore, path: Path) -> None:
    """Too many to be gathered: the page and the total go along the status, in the order of time."""
    fill(path, list_reads.FEW + 1)
    with asked(store) as statements:
        found = await search(store, status=PinStatus.PENDING)
    _, total, page = statements

    assert list_reads.FEW + 1 == found.total
    for each in (total, page):
        assert any("verifications_by_status (status=?)" in step for step in plan(path, each))


@pytest.mark.parametrize(
    "narrowed",
    [{"account_id": "a", "reference_id": "r"}, {"account_id": "a", "destination": "+91"}],
)
async def test_live_codes_of_a_person_or_a_reference_are_not_gathered(
    store: SqliteEventStore, path: Path, narrowed: dict[str, str]
) -> None:
    """Nothing finds fewer PINs than these two, of which most live codes are others'."""
    with asked(store) as statements:
        await search(store, status=PinStatus.PENDING, **narrowed)

    assert not any("by_expiry" in step for each in statements for step in plan(path, each))


@pytest.mark.parametrize(
    ("narrowed", "index"),
    [
        ({}, "verifications_by_time"),
        ({"account_id": "a"}, "verifications_by_account (account_id=?)"),
        ({"account_id": "a", "template_id": "t"}, "verifications_by_template (template_id=?)"),
        (
            {"account_id": "a", "template_id": "t", "destination": "+91"},
            "verifications_by_person (person_id=?)",
        ),
        ({"account_id": "a", "reference_id": "r"}, "verifications_by_reference (reference_id=?)"),
        ({"status": PinStatus.BLOCKED}, "verifications_by_status (status=?)"),
        # An account may have most PINs of its store, of which few are blocked.
        ({"account_id": "a", "status": PinStatus.BLOCKED}, "verifications_by_status (status=?)"),
        # Of the channel's PINs alone, which may be few or none.
        ({"channel": Channel.EMAIL}, "SCAN verifications USING INDEX verifications_by_email"),
        (
            {"account_id": "a", "channel": Channel.EMAIL, "since": NOON},
            "verifications_by_email (created_at>?)",
        ),
        (
            {"template_id": "t", "channel": Channel.EMAIL, "status": PinStatus.VERIFIED},
            "SCAN verifications USING INDEX verifications_by_email",
        ),
    ],
)
async def test_pins_are_searched_along_an_index(
    store: SqliteEventStore, path: Path, narrowed: dict[str, Any], index: str
) -> None:
    """Only PINs of the same time are sorted (D-63)."""
    with asked(store) as statements:
        await search(store, **narrowed)
    first, *others = plan(path, statements[-1])

    assert index in first
    assert ["USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"] == others


async def test_a_channel_that_many_have_is_looked_at_along_the_account(
    store: SqliteEventStore, path: Path
) -> None:
    """An account with few PINs is searched along the account's index, not along the channel's."""
    fill(path, list_reads.RARE + 1)
    with asked(store) as statements:
        await search(store, account_id="a", channel=Channel.SMS)

    assert "verifications_by_account (account_id=?)" in plan(path, statements[-1])[0]


def fill(path: Path, pins: int) -> None:
    """Put PINs into a file, all of one account, with live codes sent by SMS."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(MANY, (pins,))
        connection.commit()


def plan(path: Path, asked: tuple[str, Sequence[Any]]) -> list[str]:
    """Return the steps of SQLite's plan for a statement and its values."""
    statement, values = asked
    with closing(sqlite3.connect(path)) as connection:
        return [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]

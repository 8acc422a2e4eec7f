"""How SQLite searches PINs: along the index of what is asked for, however many there are."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.event_store.histories import NOON
from tests.fakes.asked_lists import AskedLists
from watchword.adapters.clock import SystemClock
from watchword.adapters.event_store.rows.list_queries import page_statement
from watchword.adapters.event_store.sqlite.reads import SQLITE
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.journal import Journal
from watchword.application.paging import Paging
from watchword.application.pins.searching_verifications import (
    SearchingVerifications,
    VerificationSearch,
)
from watchword.application.ports.listings import Query
from watchword.domain.channel import Channel
from watchword.domain.pin import PinStatus


@pytest.mark.parametrize("channel", [None, Channel.EMAIL])
async def test_live_codes_are_gathered_by_their_expiry(path: Path, channel: Channel | None) -> None:
    """However many PINs nobody ever verified, which are pending too as far as rows know."""
    await (await SqliteEventStore.open(path)).close()
    asked = AskedLists()
    searching = SearchingVerifications(Journal(asked), SystemClock())  # type: ignore[arg-type]  # as below
    await searching.search(
        VerificationSearch(
            status=PinStatus.PENDING, account_id="a", template_id="t", channel=channel
        ),
        Paging(),
    )

    assert ["SEARCH verifications USING INDEX verifications_by_expiry (expires_at>?)"] == plan(
        path, asked.queries[0 if channel is None else 1]
    )[:1]


@pytest.mark.parametrize(
    ("search", "index"),
    [
        ({}, "verifications_by_time"),
        ({"account_id": "a"}, "verifications_by_account (account_id=?)"),
        ({"account_id": "a", "template_id": "t"}, "verifications_by_template (template_id=?)"),
        (
            {"account_id": "a", "template_id": "t", "destination": "+91"},
            "verifications_by_destination (destination_canonical=?)",
        ),
        ({"account_id": "a", "reference_id": "r"}, "verifications_by_reference (reference_id=?)"),
        ({"status": PinStatus.BLOCKED}, "verifications_by_status (status=?)"),
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
    path: Path, search: dict[str, Any], index: str
) -> None:
    """Only PINs of one and the same time are put in order (D-63)."""
    await (await SqliteEventStore.open(path)).close()
    asked = AskedLists()
    searching = SearchingVerifications(Journal(asked), SystemClock())  # type: ignore[arg-type]  # lists are all of a store that is asked
    await searching.search(VerificationSearch(**search), Paging())
    first, *others = plan(path, asked.queries[-1])

    assert index in first
    assert ["USE TEMP B-TREE FOR RIGHT PART OF ORDER BY"] == others


class ManyOfEach(AskedLists):
    """There is always one more."""

    async def slice(self, query: Query[Any]) -> Sequence[Any]:
        """Take a list down."""
        return (*await super().slice(query), "one")


async def test_a_channel_that_many_have_is_looked_at_along_the_account(path: Path) -> None:
    """Of the account's few PINs among the many of others, none is looked for along the channel."""
    await (await SqliteEventStore.open(path)).close()
    asked = ManyOfEach()
    searching = SearchingVerifications(Journal(asked), SystemClock())  # type: ignore[arg-type]  # as above
    await searching.search(VerificationSearch(account_id="a", channel=Channel.SMS), Paging())

    assert "verifications_by_account (account_id=?)" in plan(path, asked.queries[-1])[0]


def plan(path: Path, query: Query[Any]) -> list[str]:
    """Give the steps of SQLite's plan for a page."""
    statement, given = SQLITE.asked(page_statement, query)
    with closing(sqlite3.connect(path)) as connection:
        return [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", given)]

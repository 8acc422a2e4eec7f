"""The record of a test destination."""

from __future__ import annotations

from datetime import datetime

from ...domain.event import personal
from ...domain.test_destination import TestDestination, redecide, test_destination_decider
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value(kw_only=True)
class TestDestinationRow(Row):
    """A test destination in the list of them, without its code (C-79)."""

    id: str
    account_id: str
    person_id: str
    destination: str = personal()
    until: datetime
    created_at: datetime
    updated_at: datetime
    removed_at: datetime | None


def test_destination_of(person_id: str) -> str:
    """Return the id of a person's test destination, which is the person's with another beginning (D-400)."""
    return f"{TEST_DESTINATION.prefix}_{person_id.partition('_')[2] or person_id}"


def test_destination_row(stream: str, test: TestDestination) -> TestDestinationRow:
    """Return the row of a test destination."""
    return TestDestinationRow(
        id=stream,
        account_id=test.account_id,
        person_id=test.person_id,
        destination=test.destination,
        until=test.until,
        created_at=test.created_at,
        updated_at=test.updated_at,
        removed_at=test.removed_at,
    )


TEST_DESTINATION = Record(
    decider=test_destination_decider,
    prefix="tst",
    state=TestDestination,
    redecide=redecide,
    read_model=ReadModel(
        row=TestDestinationRow,
        name="test_destinations",
        found_by=(
            FoundBy("test_destinations_by_person", ("person_id", "created_at", "id")),
            FoundBy(
                "test_destinations_by_account", ("account_id", "removed_at", "created_at", "id")
            ),
            FoundBy("test_destinations_by_end", ("removed_at", "created_at", "id")),
        ),
        changing=("destination", "until", "created_at", "updated_at", "removed_at"),
    ),
    project=test_destination_row,
)

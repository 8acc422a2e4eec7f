"""Fixtures for the tests of searches: a new store, and events of its messages."""

from __future__ import annotations

import pytest

from tests.application.recorded_messages import RecordedMessages
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.journal import Journal
from watchword.application.messages.looking_up.reading_histories import ReadingHistories
from watchword.application.people.people import People


@pytest.fixture
def journal() -> Journal:
    """Return the way to a new store."""
    return Journal(MemoryEventStore(vault=new_vault()))


@pytest.fixture
def people(journal: Journal) -> People:
    """Return the people of the store."""
    return People(journal, new_vault())


@pytest.fixture
def recorded(journal: Journal, people: People) -> RecordedMessages:
    """Return a function that appends events of the account's messages."""
    return RecordedMessages(journal, people)


@pytest.fixture
def histories(journal: Journal, people: People) -> ReadingHistories:
    """Return the use cases."""
    return ReadingHistories(journal, people)

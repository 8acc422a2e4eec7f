"""Fixtures for the tests of searches: a new store, and events of its messages."""

from __future__ import annotations

import pytest

from tests.application.recorded_messages import RecordedMessages
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.journal import Journal
from watchword.application.messages.looking_up.reading_histories import ReadingHistories


@pytest.fixture
def journal() -> Journal:
    """Return the way to a new store."""
    return Journal(MemoryEventStore())


@pytest.fixture
def recorded(journal: Journal) -> RecordedMessages:
    """Return a function that appends events of the account's messages."""
    return RecordedMessages(journal)


@pytest.fixture
def histories(journal: Journal) -> ReadingHistories:
    """Return the use cases."""
    return ReadingHistories(journal)

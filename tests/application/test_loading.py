"""A stream without events is no aggregate: callers may ask for one, the store's records must not."""

from __future__ import annotations

import pytest

from tests.contracts.event_store.histories import grown, step
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.journal import Journal
from watchword.domain.accounts.account import account_decider
from watchword.domain.accounts.api_key import api_key_decider


async def test_an_id_that_nobody_made_finds_nothing() -> None:
    """The id of another kind finds nothing either (C-7)."""
    store = MemoryEventStore()
    await store.append(step(grown("key_orchid")))
    journal = Journal(store)

    assert await journal.find(api_key_decider, "key_fern") is None
    assert await journal.find(account_decider, "key_orchid") is None
    assert await journal.find(api_key_decider, "key_orchid") is not None


async def test_a_record_that_names_no_stream_is_an_error() -> None:
    """Rows and due rows name streams that exist."""
    with pytest.raises(LookupError, match="api_key key_fern has no events"):
        await Journal(MemoryEventStore()).load(api_key_decider, "key_fern")

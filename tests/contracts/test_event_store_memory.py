"""The memory store keeps the contract."""

from __future__ import annotations

import pytest

from tests.contracts.event_store.together import TogetherContract
from tests.contracts.event_store_contract import EventStoreContract
from tests.fakes.clocks import MachineSeconds
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.ports.event_store import EventStore


class TestMemoryEventStore(EventStoreContract, TogetherContract):
    """In one process, without a file."""

    @pytest.fixture
    async def store(self, machine_seconds: MachineSeconds) -> EventStore:
        """Return a new memory store."""
        return MemoryEventStore(machine_seconds, vault=new_vault())

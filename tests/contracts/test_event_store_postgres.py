"""The PostgreSQL store keeps the contract on a real server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.contracts.event_store.together import TogetherContract
from tests.contracts.event_store_contract import EventStoreContract
from tests.fakes.clocks import MachineSeconds
from tests.fakes.nodes import TakingTurns
from tests.vaults import new_vault
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.application.ports.event_store import EventStore


class TestPostgresEventStore(EventStoreContract, TogetherContract):
    """One node."""

    @pytest.fixture
    async def store(
        self, postgres_url: str, machine_seconds: MachineSeconds
    ) -> AsyncIterator[EventStore]:
        """Yield a store on an empty database."""
        opened = await PostgresEventStore.open(
            postgres_url, real_time=machine_seconds, vault=new_vault()
        )
        yield opened
        await opened.close()


class TestTwoPostgresEventStores(EventStoreContract):
    """Two nodes on one database take turns call by call, and behave like one."""

    @pytest.fixture
    async def store(
        self, postgres_url: str, machine_seconds: MachineSeconds
    ) -> AsyncIterator[EventStore]:
        """Yield a store of which every call goes to the other node."""
        one = await PostgresEventStore.open(
            postgres_url, real_time=machine_seconds, vault=new_vault()
        )
        two = await PostgresEventStore.open(
            postgres_url, real_time=machine_seconds, vault=new_vault()
        )
        yield TakingTurns(one, two)
        await two.close()
        await one.close()

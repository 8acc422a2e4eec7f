"""Nodes under load in a rotation of the code key from version 1 to version 2, and a look at their store."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from attrs import define, evolve, field

from tests.entrypoints.caller import Caller
from tests.entrypoints.conftest import listening
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import EventStore
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings
from watchword.entrypoints.wired import Wired

OLD, NEW = (f"{number}:{base64.b64encode(bytes([number]) * 32).decode()}" for number in (1, 2))
BOTH = f"{NEW},{OLD}"
ROUNDS_A_PHASE = 3


@define
class Load:
    """Creates and verifies PINs, for new people and for those whom another node met."""

    verified: int = 0
    _numbers: int = 0
    _met: list[str] = field(factory=list)

    async def go_on(self, caller: Caller, stopping: asyncio.Event) -> None:
        """Go on until the node is stopped; every answer must be right."""
        while not stopping.is_set():
            self._numbers += 1
            # Not the last digits by which the sandbox rejects a message.
            new = f"+447{self._numbers:07}77"
            await self._verify(caller, new)
            if self._met:
                await self._verify(caller, self._met.pop(0))
            self._met.append(new)

    async def _verify(self, caller: Caller, number: str) -> None:
        pin = await caller.created(number)
        reply = await caller.verify(pin, await caller.code(number))
        assert 200 == reply.status, reply.body
        self.verified += 1

    async def until_more(self) -> None:
        """Wait until the load has got on."""
        wanted = self.verified + ROUNDS_A_PHASE
        async with asyncio.timeout(20):
            while self.verified < wanted:  # noqa: ASYNC110  the load counts on
                await asyncio.sleep(0.01)


@asynccontextmanager
async def loaded(settings: Settings, code_key: str, load: Load) -> AsyncIterator[Wired]:
    """Run a node under load."""
    async with (
        wired(evolve(settings, code_key=code_key)) as service,
        listening(service) as caller,
        asyncio.TaskGroup() as group,
    ):
        stopping = asyncio.Event()
        group.create_task(load.go_on(caller, stopping))
        try:
            yield service
        finally:
            stopping.set()


async def add_by_messages(caller: Caller, people: int) -> None:
    """Let a store know at most a thousand people, each by a message."""
    text = {"sender": "TEAHSE", "type": "SI", "messageBody": "Your tea is ready."}
    # Not the last digits by which the sandbox rejects a message, or says nothing of it.
    numbers = (f"+4478{each:06}77" for each in range(people))
    await caller.sent(sms=[{**text, "recipient": each} for each in numbers])


async def until_moved(store: EventStore) -> None:
    """Wait until no key is left under the old version."""
    async with asyncio.timeout(30):
        while await store.seals_under(1):  # noqa: ASYNC110  the worker moves them
            await asyncio.sleep(0.01)


@asynccontextmanager
async def open_beside(settings: Settings) -> AsyncIterator[EventStore]:
    """Open the store only to read, beside the process that writes it."""
    url = settings.store_url
    store: SqliteEventStore | PostgresEventStore
    if url.path is not None:
        store = await SqliteEventStore.open(url.path, read_only=True)
    else:
        store = await PostgresEventStore.open(url.text, read_only=True)
    try:
        yield store
    finally:
        await store.close()

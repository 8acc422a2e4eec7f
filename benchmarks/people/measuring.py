"""Measure erasures, sends and sizes in a store with few people and in one with many."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from aiohttp import ClientSession, ClientTimeout
from attrs import define, field

from watchword.entrypoints.settings import Settings

from .. import targets
from ..load_client import Client, client
from ..long_stores.seeding import STEPS, Seeded, seed
from ..plan import CONNECTIONS, FEW, Plan
from ..processes import StartError
from ..targets import Database
from .erasing import erasures
from .sending import Sender, send_in_turns
from .sizes import size_of

# One of so many people has a PIN. Each has a message.
_PIN_FOR = 10
# The server of the other checkout.
BEFORE = "before"


@define
class PeopleFound:
    """
    The figures of one kind of store, by the name of the server.

    Seconds are those of each erasure and of each call; `cycle_bytes` is what a cycle adds to the store.
    """

    store: str
    erasures: dict[str, list[float]] = field(factory=dict)
    sends: dict[str, list[float]] = field(factory=dict)
    send_cpu: dict[str, list[float]] = field(factory=dict)
    cycle_bytes: dict[str, float] = field(factory=dict)


@define
class _Measuring:
    plan: Plan
    directory: Path
    new: Callable[[], Database] | None
    advance: Callable[[str], None]
    stack: AsyncExitStack
    load: Client
    found: PeopleFound

    async def run(self) -> None:
        few = min(_rounded(self._needed), self.plan.people)
        senders = []
        if self.plan.against is not None:
            senders.append(await self._server(BEFORE, None, Path(self.plan.against)))
        for people in (few, self.plan.people):
            senders.append(await self._server(f"{people:,} people", people))
        for number in range(self.plan.rounds + 1):
            self._say(f"sends {number} of {self.plan.rounds}")
            await send_in_turns(self.plan, senders, number)
        for each in senders:
            name = each.server.name
            self.found.sends[name] = each.seconds
            self.found.send_cpu[name] = each.cpu_seconds
            if each.seeded is not None:
                self._say(f"erasures among {name}")
                self.found.erasures[name] = await erasures(
                    self.plan, each.server, each.session, each.seeded
                )

    @property
    def _needed(self) -> int:
        return self.plan.known_per_send * (self.plan.rounds + 1) + self.plan.erased

    async def _server(self, name: str, people: int | None, checkout: Path | None = None) -> Sender:
        home = self.directory / f"{self.found.store}-{people}"
        home.mkdir()
        database = self.new() if self.new else None
        settings = Settings(store=database.url if database else None, data_dir=home, sandbox=True)
        seeded = None if people is None else await self._seeded(settings, people)
        self._say(f"starting with {name}")
        server = await self.stack.enter_async_context(
            targets.watchword(name, name, home, self.load.phone_port, database, checkout=checkout)
        )
        session = await self.stack.enter_async_context(
            ClientSession(
                f"http://127.0.0.1:{server.ports[0]}",
                timeout=ClientTimeout(60),
                raise_for_status=True,
            )
        )
        if people != self.plan.people:
            await self._measure_cycles(server, home, database)
        return Sender(server, session, seeded)

    async def _seeded(self, settings: Settings, people: int) -> Seeded:
        storing = partial(self._say, f"storing {people:,} people")
        return await seed(settings, people, advance=storing, pin_for=_PIN_FOR)

    async def _measure_cycles(
        self, server: targets.Target, home: Path, database: Database | None
    ) -> None:
        cycles = self.plan.per_round
        await self.load.run(server.load(CONNECTIONS, self.plan.warm_up))
        before = await asyncio.to_thread(size_of, home, database)
        tally = await self.load.run(server.load(CONNECTIONS, cycles))
        if tally.failed:
            raise StartError(f"{server.name}: {tally.first_failure}")
        size = await asyncio.to_thread(size_of, home, database)
        self.found.cycle_bytes[server.name] = (size - before) / cycles

    def _say(self, what: str) -> None:
        self.advance(f"{self.found.store}: {what}")


def _rounded(people: int) -> int:
    """Return the next number of people that is as many copies of the same ones."""
    return people if people < FEW else -(-people // FEW) * FEW


async def measure_people(
    plan: Plan,
    directory: Path,
    new: Callable[[], Database] | None,
    advance: Callable[[str], None],
) -> PeopleFound:
    """Measure in files, or in databases; `advance` gets the name of each next step."""
    found = PeopleFound("PostgreSQL" if new else "SQLite")
    async with AsyncExitStack() as stack:
        load = await stack.enter_async_context(client(directory))
        await _Measuring(plan, directory, new, advance, stack, load, found).run()
    return found


def people_steps(plan: Plan) -> int:
    """Return the number of steps that a measurement reports."""
    return (plan.against is not None) + 2 * (STEPS + 2) + plan.rounds + 1

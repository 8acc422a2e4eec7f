"""Retention under load: the times of cycles while what ended goes, and without one (C-75)."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import perf_counter

import psycopg
from aiohttp import ClientSession, ClientTimeout
from attrs import define, field, frozen

from watchword.adapters.event_store.rows.time_text import time_text
from watchword.entrypoints.settings import SANDBOX_ADMIN_TOKEN, Settings

from .. import targets
from ..console.pages import settled
from ..load_client import client
from ..loads import Latency, Tally
from ..plan import CONNECTIONS, Plan
from ..processes import StartError
from ..summary import Spread
from ..targets import Database
from .filling import ROW_KINDS
from .seeding import STEPS, seed

_AGE = timedelta(days=5)
# The worker looks for what ended once a minute, of the sandbox's clock.
_MINUTE = {"seconds": 61}
_PATIENCE = 60
_NOTHING: dict[str, str] = {}
# Between the rows that were seeded, five days old, and those of the load.
_SEEDED_BEFORE = timedelta(days=4)
_COUNT = "SELECT " + " + ".join(
    f"(SELECT count(*) FROM {each.name} WHERE created_at < {{}})" for each in ROW_KINDS
)
_SHORT = {"pins": "1d", "messages": "1d", "events": "2d"}


@define
class RetentionFound:
    """Loads of one kind of store, without a retention and beside one, and how much each took out."""

    store: str
    without: list[Tally] = field(factory=list)
    beside: list[Tally] = field(factory=list)
    pruned: list[int] = field(factory=list)


async def measure_retention(
    plan: Plan,
    directory: Path,
    new: Callable[[], Database] | None,
    advance: Callable[[str], None],
) -> RetentionFound:
    """Measure on a file, or in a database; `advance` gets the name of each next step."""
    found = RetentionFound("PostgreSQL" if new else "SQLite")
    count, home = max(plan.stored), directory / found.store
    home.mkdir()
    database = new() if new else None
    settings = Settings(store=database.url if database else None, data_dir=home, sandbox=True)
    storing = partial(advance, f"{found.store}: storing {count:,} PINs")
    seeded = await seed(settings, count, advance=storing, age=_AGE)
    async with AsyncExitStack() as stack:
        load = await stack.enter_async_context(client(directory))
        server = await stack.enter_async_context(
            targets.watchword("retention", "retention", home, load.phone_port, database)
        )
        (port,) = server.ports
        await settled(port, seeded.events, partial(advance, f"{found.store}: sealing"))
        stored = _Stored(settings, datetime.now(UTC) - _SEEDED_BEFORE)
        operator = await stack.enter_async_context(_operator(port))
        retention = f"/admin/v1/accounts/{seeded.account_id}/retention"
        await load.run(server.load(CONNECTIONS, plan.warm_up))
        for number in range(plan.rounds):
            advance(f"{found.store}: round {number + 1} of {plan.rounds}")
            # In turns, each first in half of the rounds.
            for kept in (_NOTHING, _SHORT) if number % 2 == 0 else (_SHORT, _NOTHING):
                await operator.put(retention, json=kept)
                # It looks at once, and goes on until nothing is left or nothing is to go.
                looking = asyncio.create_task(_look(operator))
                before = await stored.changing() if kept else 0
                tally = await load.run(server.load(CONNECTIONS, plan.per_round))
                if kept:
                    found.pruned.append(before - await stored.count())
                    await operator.put(retention, json=_NOTHING)
                await looking
                (found.beside if kept else found.without).append(tally)
    return found


def retention_steps(plan: Plan) -> int:
    """Return the number of steps that a measurement reports."""
    return STEPS + 1 + plan.rounds


def retention_figures(found: RetentionFound) -> dict[str, Spread | None]:
    """Return the figures under the names that the table shows."""
    pairs = list(zip(found.without, found.beside, strict=True))

    def of(name: str, one: Callable[[Tally], Latency]) -> dict[str, Spread | None]:
        return {
            f"{found.store}: {name} p99 ms, without": Spread.of(one(a).p99 for a, _ in pairs),
            f"{found.store}: {name} p99 ms, beside": Spread.of(one(b).p99 for _, b in pairs),
            f"{found.store}: {name} p99, times as long (at most 1.5)": Spread.of(
                one(b).p99 / one(a).p99 for a, b in pairs
            ),
        }

    return {
        **of("create", lambda tally: tally.create),
        **of("verify", lambda tally: tally.verify),
        f"{found.store}: cycles/s, times as many": Spread.of(
            (b.done / b.seconds) / (a.done / a.seconds) for a, b in pairs
        ),
        f"{found.store}: PINs and messages pruned per second": Spread.of(
            gone / b.seconds for gone, b in zip(found.pruned, found.beside, strict=True)
        ),
    }


def _operator(port: int) -> ClientSession:
    """Return a session of the sandbox's operator."""
    return ClientSession(
        f"http://127.0.0.1:{port}",
        headers={"Authorization": f"Bearer {SANDBOX_ADMIN_TOKEN}"},
        timeout=ClientTimeout(None),
        raise_for_status=True,
    )


async def _look(operator: ClientSession) -> None:
    await operator.post("/sandbox/clock/advance", json=_MINUTE)


@frozen
class _Stored:
    """The rows of the PINs and messages that a store was filled with, which a retention takes out first."""

    settings: Settings
    made_before: datetime

    async def count(self) -> int:
        """Return how many are there."""
        return await asyncio.to_thread(self._count)

    async def changing(self) -> int:
        """Wait until some go; return how many are there then. Raises `StartError`."""
        until, before = perf_counter() + _PATIENCE, await self.count()
        while (now := await self.count()) == before:
            if perf_counter() > until:
                raise StartError("The retention took nothing out of the store.")
            await asyncio.sleep(0.2)
        return now

    def _count(self) -> int:
        path, made_before = self.settings.store_url.path, time_text(self.made_before)
        if path is None:
            with psycopg.connect(self.settings.store_url.text) as shared:
                found = shared.execute(
                    _COUNT.format("%s", "%s"), (made_before, made_before)
                ).fetchone()
        else:
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
                found = file.execute(_COUNT.format("?", "?"), (made_before, made_before)).fetchone()
        assert found is not None
        return int(found[0])

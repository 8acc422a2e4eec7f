"""The same work on a store with few PINs and on one with many: rates, lists, start and memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from attrs import frozen

from watchword.entrypoints.settings import Settings

from .. import targets
from ..asking import answers
from ..load_client import client
from ..plan import Plan
from ..rounds import run_rounds
from ..summary import Spread, Summary, summarized
from ..targets import Database
from .seeding import STEPS, seed


@frozen(kw_only=True)
class Growth:
    """
    The figures of one kind of store: a server with few PINs, and one with many.

    Rates are ratios to the first. `milliseconds` holds the times of each search by server.
    """

    store: str
    servers: Sequence[Summary]
    events: dict[str, int]
    milliseconds: dict[str, dict[str, Spread | None]]


async def measure_growth(
    plan: Plan,
    directory: Path,
    new: Callable[[], Database] | None,
    advance: Callable[[str], None],
) -> Growth:
    """Measure growth in files, or in databases; `advance` gets the name of each next step."""
    store = "PostgreSQL" if new else "SQLite"
    events, asked, servers = {}, {}, []
    few = _name(min(plan.stored))
    async with AsyncExitStack() as stack:
        load = await stack.enter_async_context(client(directory))
        for count in plan.stored:
            name, home = _name(count), directory / f"{store}-{count}"
            home.mkdir()
            database = new() if new else None
            settings = Settings(
                store=database.url if database else None, data_dir=home, sandbox=True
            )
            storing = f"{store}: storing {name}"
            seeded = await seed(settings, count, advance=partial(advance, storing))
            events[name] = seeded.events
            advance(f"{store}: starting with {name}")
            server = await stack.enter_async_context(
                targets.watchword(name, few, home, load.phone_port, database)
            )
            servers.append(server)
            asked[name] = await answers(server.ports[0], seeded)
        measured = await run_rounds(plan, load, servers, advance)
    return Growth(store=store, servers=summarized(measured), events=events, milliseconds=asked)


def growth_steps(plan: Plan) -> int:
    """Return the number of steps that a measurement reports, beside its rounds."""
    return (STEPS + 1) * len(plan.stored)


def _name(count: int) -> str:
    return f"{count:,} PINs"

"""Create and verify over HTTP: the servers that take turns on each kind of store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from . import targets
from .load_client import client
from .plan import Plan
from .rounds import run_rounds
from .summary import Summary, summarized
from .targets import Database

SKELETON, OURS = "skeleton", "Watchword"
ON_SQLITE = ("bare aiohttp", SKELETON, OURS, f"{OURS}, keyed")
ON_POSTGRES = (SKELETON, OURS, f"{OURS}, keyed", f"{OURS}, 2 nodes")


async def on_sqlite(
    plan: Plan, directory: Path, advance: Callable[[str], None]
) -> Sequence[Summary]:
    """Measure the servers, each with a file; `advance` gets the name of each next step."""
    bare, skeleton, ours, keyed = ON_SQLITE
    async with AsyncExitStack() as stack:
        load = await stack.enter_async_context(client(directory))
        phone = load.phone_port
        servers = [
            await stack.enter_async_context(each)
            for each in (
                targets.bare(bare, skeleton, directory, phone),
                targets.skeleton(skeleton, directory, phone),
                targets.watchword(ours, skeleton, directory / "watchword", phone),
                targets.watchword(keyed, skeleton, directory / "keyed", phone, idempotent=True),
            )
        ]
        return summarized(await run_rounds(plan, load, servers, advance))


async def on_postgres(
    plan: Plan, directory: Path, new: Callable[[], Database], advance: Callable[[str], None]
) -> Sequence[Summary]:
    """Measure the servers, each with a database; `advance` gets the name of each next step."""
    skeleton, ours, keyed, two = ON_POSTGRES
    async with AsyncExitStack() as stack:
        load = await stack.enter_async_context(client(directory))
        phone = load.phone_port
        servers = [
            await stack.enter_async_context(each)
            for each in (
                targets.skeleton(skeleton, directory, phone, new()),
                targets.watchword(ours, skeleton, directory / "one", phone, new()),
                targets.watchword(
                    keyed, skeleton, directory / "keyed", phone, new(), idempotent=True
                ),
                targets.watchword(two, skeleton, directory / "two", phone, new(), nodes=2),
            )
        ]
        return summarized(await run_rounds(plan, load, servers, advance))

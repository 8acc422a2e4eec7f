"""The servers of a run, each a process of its own, and the client that puts load on them."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from attrs import frozen

from .listening import KEY, TEMPLATE_ID
from .loads import Load, Tally
from .plan import LOAD_SECONDS
from .processes import StartError, last_words, port_of, running
from .tenant import Tenant, set_up

BARE = "bare aiohttp"
SKELETON = "skeleton"
OURS = "Watchword"
OURS_KEYED = "Watchword, keyed"


@frozen(kw_only=True)
class Target:
    """A running server, and how it is spoken to."""

    name: str
    pid: int
    port: int
    tenant: Tenant
    idempotent: bool = False

    def load(self, connections: int, cycles: int) -> Load:
        """Give the load of so many cycles."""
        return Load(
            port=self.port,
            key=self.tenant.key,
            template_id=self.tenant.template_id,
            idempotent=self.idempotent,
            connections=connections,
            cycles=cycles,
            seconds=LOAD_SECONDS,
        )


@frozen
class Client:
    """The running load client."""

    process: Process
    phone_port: int
    log: Path

    async def run(self, load: Load) -> Tally:
        """Have it run a load."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(load) + b"\n")
        line = await self.process.stdout.readline()
        if not line:
            raise StartError(await asyncio.to_thread(last_words, self.log))
        return msgspec.json.decode(line, type=Tally)


@asynccontextmanager
async def client(directory: Path) -> AsyncIterator[Client]:
    """Run the load client."""
    log = directory / "client.log"
    async with running("benchmarks.client", log=log) as process:
        yield Client(process, await port_of(process, log), log)


@asynccontextmanager
async def bare(directory: Path, phone_port: int) -> AsyncIterator[Target]:
    """Run the server that keeps nothing."""
    log = directory / "bare.log"
    async with running("benchmarks.bare", str(phone_port), log=log) as process:
        yield await _told(BARE, process, log)


@asynccontextmanager
async def skeleton(directory: Path, phone_port: int) -> AsyncIterator[Target]:
    """Run the least that a durable PIN service can do."""
    log, database = directory / "skeleton.log", directory / "skeleton.db"
    arguments = (str(phone_port), str(database))
    async with running("benchmarks.skeleton", *arguments, log=log) as process:
        yield await _told(SKELETON, process, log)


@asynccontextmanager
async def watchword(directory: Path, phone_port: int, *, idempotent: bool) -> AsyncIterator[Target]:
    """Run Watchword as it is served, with a tenant."""
    name = OURS_KEYED if idempotent else OURS
    home = directory / ("watchword-keyed" if idempotent else "watchword")
    log = home.with_suffix(".log")
    serve = ("serve", "--sandbox", "--port", "0", "--data-dir", str(home))
    async with running("watchword.entrypoints.cli", *serve, log=log) as process:
        port = await port_of(process, log)
        tenant = await set_up(f"http://127.0.0.1:{port}", phone_port)
        yield Target(name=name, pid=process.pid, port=port, tenant=tenant, idempotent=idempotent)


async def _told(name: str, process: Process, log: Path) -> Target:
    port = await port_of(process, log)
    return Target(name=name, pid=process.pid, port=port, tenant=Tenant(KEY, TEMPLATE_ID))

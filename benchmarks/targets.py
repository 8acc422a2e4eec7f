"""Starts the servers of a run, each with one or two processes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter

from attrs import frozen

from .listening import KEY, TEMPLATE_ID
from .loads import Load
from .plan import LOAD_SECONDS
from .processes import port_of, running
from .tenant import Tenant, set_up


@frozen(kw_only=True)
class Database:
    """A PostgreSQL database, with the server's process if it is on this machine."""

    url: str
    pid: int | None


@frozen(kw_only=True)
class Target:
    """
    A running server, with its ports and tenant.

    `pids` are its own processes; the process `database` uses CPU for it too. `beside` names the server
    that its rate is compared with.
    """

    name: str
    beside: str
    pids: tuple[int, ...]
    ports: tuple[int, ...]
    tenant: Tenant
    database: int | None = None
    idempotent: bool = False
    started_in: float = 0.0

    def load(self, connections: int, cycles: int) -> Load:
        """Return a load of so many cycles on so many connections."""
        return Load(
            ports=self.ports,
            key=self.tenant.key,
            template_id=self.tenant.template_id,
            idempotent=self.idempotent,
            connections=connections,
            cycles=cycles,
            seconds=LOAD_SECONDS,
        )


@asynccontextmanager
async def bare(name: str, beside: str, directory: Path, phone_port: int) -> AsyncIterator[Target]:
    """Run the server that stores nothing."""
    async with _started("benchmarks.bare", str(phone_port), log=directory / "bare.log") as (
        pid,
        port,
    ):
        yield Target(name=name, beside=beside, pids=(pid,), ports=(port,), tenant=_SKELETONS)


@asynccontextmanager
async def skeleton(
    name: str, directory: Path, phone_port: int, database: Database | None = None
) -> AsyncIterator[Target]:
    """Run the minimal durable PIN service."""
    log = directory / f"skeleton-{'postgres' if database else 'sqlite'}.log"
    where = database.url if database else str(log.with_suffix(".db"))
    async with _started("benchmarks.skeleton", str(phone_port), where, log=log) as (pid, port):
        yield Target(
            name=name,
            beside=name,
            pids=(pid,),
            ports=(port,),
            tenant=_SKELETONS,
            database=database.pid if database else None,
        )


@asynccontextmanager
async def watchword(
    name: str,
    beside: str,
    home: Path,
    phone_port: int,
    database: Database | None = None,
    *,
    nodes: int = 1,
    idempotent: bool = False,
    checkout: Path | None = None,
) -> AsyncIterator[Target]:
    """
    Run Watchword with a tenant; several nodes share the database and the home directory.

    Another `checkout` runs with the same interpreter and packages.
    """
    serve = ["serve", "--sandbox", "--port", "0", "--data-dir", str(home)]
    if database is not None:
        serve += ["--store", database.url]
    async with AsyncExitStack() as stack:
        found = []
        began = perf_counter()
        for number in range(nodes):
            log = home.with_suffix(f".{number}.log")
            found.append(
                await stack.enter_async_context(
                    _started("watchword.entrypoints.cli", *serve, log=log, checkout=checkout)
                )
            )
        started_in = (perf_counter() - began) / nodes
        pids, ports = zip(*found, strict=True)
        yield Target(
            name=name,
            beside=beside,
            pids=pids,
            ports=ports,
            tenant=await set_up(f"http://127.0.0.1:{ports[0]}", phone_port),
            database=database.pid if database else None,
            idempotent=idempotent,
            started_in=started_in,
        )


_SKELETONS = Tenant(KEY, TEMPLATE_ID)


@asynccontextmanager
async def _started(
    module: str, *arguments: str, log: Path, checkout: Path | None = None
) -> AsyncIterator[tuple[int, int]]:
    async with running(module, *arguments, log=log, checkout=checkout) as process:
        yield process.pid, await port_of(process, log)

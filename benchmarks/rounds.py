"""Interleaved rounds: each measures every server, so a slow minute affects all of them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence

from attrs import define, field, frozen

from .load_client import Client
from .loads import Tally
from .machine import busy_seconds, usage
from .plan import CONNECTIONS, Plan
from .targets import Target


@frozen(kw_only=True)
class ServerRun:
    """One server's measurements in a round; CPU times are those of the load at 32 connections."""

    loaded: Tally
    alone: Tally
    server_cpu_seconds: float | None
    foreign_cores: float | None


@define
class Measured:
    """The figures of one server; bytes are those of its own processes, not of its database."""

    name: str
    beside: str
    started_in: float
    resident_before: int | None
    resident_after: int | None = None
    runs: list[ServerRun] = field(factory=list)


async def run_rounds(
    plan: Plan, client: Client, servers: Sequence[Target], advance: Callable[[str], None]
) -> Sequence[Measured]:
    """Measure servers; `advance` gets the name of each step, `steps` times in all."""
    found = {
        server.name: Measured(server.name, server.beside, server.started_in, _resident(server))
        for server in servers
    }
    for server in servers:
        advance(f"{server.name}: warm-up")
        await client.run(server.load(CONNECTIONS, plan.warm_up))
    for number in range(plan.rounds):
        # Alternate the direction, so that no server always follows the same one.
        for server in servers if number % 2 == 0 else reversed(servers):
            advance(f"{server.name}: round {number + 1} of {plan.rounds}")
            found[server.name].runs.append(await _run_server(plan, client, server))
    for server in servers:
        found[server.name].resident_after = _resident(server)
    return list(found.values())


def steps(plan: Plan, servers: int) -> int:
    """Return the number of steps that a run reports."""
    return servers * (1 + plan.rounds)


async def _run_server(plan: Plan, client: Client, server: Target) -> ServerRun:
    alone = await client.run(server.load(1, plan.alone_per_round))
    of_server = (*server.pids, *([server.database] if server.database else ()))
    of_run = (os.getpid(), client.process.pid)
    server_before, run_before = _cpu(of_server), _cpu(of_run)
    busy, began = busy_seconds(), time.perf_counter()
    loaded = await client.run(server.load(CONNECTIONS, plan.per_round))
    seconds = time.perf_counter() - began
    server_after, run_after, now = _cpu(of_server), _cpu(of_run), busy_seconds()
    spent = _between(server_before, server_after)
    others = _between(run_before, run_after)
    foreign = None
    if busy is not None and now is not None and spent is not None and others is not None:
        foreign = max(now - busy - spent - others, 0.0) / seconds
    return ServerRun(loaded=loaded, alone=alone, server_cpu_seconds=spent, foreign_cores=foreign)


def _cpu(pids: Iterable[int]) -> float | None:
    found = [usage(pid) for pid in pids]
    return sum(seen.cpu_seconds for seen in found if seen) if all(found) else None


def _between(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _resident(server: Target) -> int | None:
    found = [usage(pid) for pid in server.pids]
    return sum(seen.resident for seen in found if seen) if all(found) else None

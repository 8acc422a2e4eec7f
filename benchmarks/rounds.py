"""Interleaved rounds: every server gets its turn in each, so that a slow minute is everybody's."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from attrs import define, field, frozen

from . import targets
from .loads import Tally
from .machine import busy_seconds, usage
from .plan import CONNECTIONS, Plan
from .targets import Client, Target


@frozen(kw_only=True)
class Turn:
    """One server's turn in a round; CPU times are those of the load at 32 connections."""

    loaded: Tally
    alone: Tally
    server_cpu_seconds: float | None
    foreign_cores: float | None


@define
class Measured:
    """What was found of one server."""

    name: str
    resident_before: int | None
    resident_after: int | None = None
    turns: list[Turn] = field(factory=list)


async def run_rounds(
    plan: Plan, directory: Path, advance: Callable[[str], None]
) -> Sequence[Measured]:
    """Measure all servers; `advance` is told what comes next, `steps` times in all."""
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(targets.client(directory))
        phone = client.phone_port
        servers = [
            await stack.enter_async_context(each)
            for each in (
                targets.bare(directory, phone),
                targets.skeleton(directory, phone),
                targets.watchword(directory, phone, idempotent=False),
                targets.watchword(directory, phone, idempotent=True),
            )
        ]
        pids = (os.getpid(), client.process.pid, *(server.pid for server in servers))
        found = {server.name: Measured(server.name, _resident(server)) for server in servers}
        for server in servers:
            advance(f"{server.name}: warm-up")
            await client.run(server.load(CONNECTIONS, plan.warm_up))
        for number in range(plan.rounds):
            # There and back again: no server always follows the same one.
            for server in servers if number % 2 == 0 else reversed(servers):
                advance(f"{server.name}: round {number + 1} of {plan.rounds}")
                found[server.name].turns.append(await _turn(plan, client, server, pids))
        for server in servers:
            found[server.name].resident_after = _resident(server)
        return list(found.values())


def steps(plan: Plan) -> int:
    """Give how often a run tells what comes next."""
    return 4 + 4 * plan.rounds


async def _turn(plan: Plan, client: Client, server: Target, pids: Sequence[int]) -> Turn:
    alone = await client.run(server.load(1, plan.alone_per_round))
    ours, busy, began = _cpu(pids), busy_seconds(), time.perf_counter()
    loaded = await client.run(server.load(CONNECTIONS, plan.per_round))
    seconds = time.perf_counter() - began
    spent = {pid: after - ours[pid] for pid, after in _cpu(pids).items() if pid in ours}
    now = busy_seconds()
    foreign = None
    if busy is not None and now is not None:
        foreign = max(now - busy - sum(spent.values()), 0.0) / seconds
    return Turn(
        loaded=loaded,
        alone=alone,
        server_cpu_seconds=spent.get(server.pid),
        foreign_cores=foreign,
    )


def _cpu(pids: Sequence[int]) -> Mapping[int, float]:
    found = {pid: usage(pid) for pid in pids}
    return {pid: seen.cpu_seconds for pid, seen in found.items() if seen is not None}


def _resident(server: Target) -> int | None:
    seen = usage(server.pid)
    return None if seen is None else seen.resident

"""Appends without HTTP by separate processes, compared with plain inserts, also by two nodes at once."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from attrs import frozen

from .plan import Plan
from .processes import StartError, last_words, running
from .summary import Spread
from .targets import Database


@frozen(kw_only=True)
class Appends:
    """Appends per second of all processes together, and their ratio to plain inserts in the same round."""

    name: str
    store: str
    per_second: Spread | None
    ratio: Spread | None


@frozen
class _Writers:
    name: str
    store: str
    processes: Sequence[tuple[Process, Path]]

    async def run(self, pins: int) -> float:
        """Run all processes; return the appends per second."""
        share = -(-pins // len(self.processes))
        seconds = await asyncio.gather(
            *(_answer_to(process, log, f"{share}\n") for process, log in self.processes)
        )
        return 3 * share * len(self.processes) / max(map(float, seconds))


async def measure_appends(
    plan: Plan,
    directory: Path,
    new: Callable[[], Database] | None,
    advance: Callable[[str], None],
) -> Sequence[Appends]:
    """Measure appends in files, or in databases; `advance` gets the name of each round."""
    store = "PostgreSQL" if new else "SQLite"
    async with AsyncExitStack() as stack:

        async def started(name: str, nodes: int, *arguments: str) -> _Writers:
            processes = []
            for number in range(nodes):
                log = directory / f"{store}-{name}-{number}.log"
                process = await stack.enter_async_context(
                    running("benchmarks.appending", *arguments, log=log)
                )
                await _line(process, log)
                processes.append((process, log))
            return _Writers(name, store, processes)

        inserts = directory / "inserts.db"
        writers = [await started("plain inserts", 1, "--bare", new().url if new else str(inserts))]
        for nodes in (1, 2) if new else (1,):
            name = "Watchword" if nodes == 1 else f"Watchword, {nodes} nodes"
            home = directory / f"{store}-appending-{nodes}"
            writers.append(await started(name, nodes, str(home), new().url if new else ""))
        rates: list[list[float]] = [[] for _ in writers]
        for each in writers:
            await each.run(plan.warm_up)
        for number in range(plan.rounds):
            advance(f"appends on {store}: round {number + 1} of {plan.rounds}")
            for each, found in zip(writers, rates, strict=True):
                found.append(await each.run(plan.appended_per_round))
    return [
        Appends(
            name=each.name,
            store=each.store,
            per_second=Spread.of(found),
            ratio=Spread.of(own / plain for own, plain in zip(found, rates[0], strict=True)),
        )
        for each, found in zip(writers, rates, strict=True)
    ]


async def _answer_to(process: Process, log: Path, line: str) -> str:
    assert process.stdin is not None
    process.stdin.write(line.encode())
    return await _line(process, log)


async def _line(process: Process, log: Path) -> str:
    assert process.stdout is not None
    line = await process.stdout.readline()
    if not line:
        raise StartError(await asyncio.to_thread(last_words, log))
    return line.decode()

"""
A process that only appends, to measure the store alone.

`python -m benchmarks.appending HOME DATABASE`, or with `--bare` for plain inserts of one durable row each,
at the same concurrency. It reads a number of PINs per line, does three appends for each, and prints the
seconds.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import secrets
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from watchword.application.caller import THE_WORKER
from watchword.entrypoints.composition.bootstrap import wired
from watchword.entrypoints.settings import Settings

from . import event_loop
from .appends import life_of_a_pin
from .skeleton_stores import keeper

AT_ONCE = 64
# Calls that run one after the other; pieces run concurrently.
Piece = Sequence[Callable[[], Awaitable[object]]]


async def bare(database: str) -> None:
    """Insert rows on request."""
    keeping = await keeper(database)

    def piece(_: int) -> Piece:
        pin_id = secrets.token_hex(16)
        return [
            lambda number=number: keeping.keep(  # type: ignore[misc]  # a default is how a loop is bound
                (f"{pin_id}{number}", "+1555", None, bytes(32), time.time())
            )
            for number in range(3)
        ]

    await _serve(piece)


async def appending(home: Path, database: str) -> None:
    """Append on request."""
    settings = Settings(
        store=database or None, data_dir=home, sandbox=True, writer_process=not database
    )
    async with wired(settings, run_due=False) as service:
        account_id = await service.accounts.resolve(THE_WORKER, "demo")

        def piece(number: int) -> Piece:
            life = life_of_a_pin(
                service.people, account_id, f"+{os.getpid()}{number:09}", datetime.now(UTC)
            )
            return [
                lambda append=append: service.store.append(append)  # type: ignore[misc]  # as above
                for append in (life.issued, life.dispatched, life.verified)
            ]

        await _serve(piece)


async def _serve(piece: Callable[[int], Piece]) -> None:
    print("ready", flush=True)
    numbers = itertools.count()
    while line := await asyncio.to_thread(sys.stdin.readline):
        # The appends are decided before, so that only the writes are measured.
        pieces = [piece(next(numbers)) for _ in range(int(line))]
        began = perf_counter()
        left = iter(pieces)
        await asyncio.gather(*(_work(left) for _ in range(AT_ONCE)))
        print(perf_counter() - began, flush=True)


async def _work(left: Iterator[Piece]) -> None:
    for piece in left:
        for each in piece:
            await each()


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[0] == "--bare":
        event_loop.run(bare(given[1]))
    else:
        event_loop.run(appending(Path(given[0]), given[1]))

"""What every kind of due work has in common, for whoever runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Protocol

from attrs import evolve

from ..domain.conditions import Condition
from .caller import THE_WORKER
from .errors import UnavailableError
from .journal import Journal, retry_on_conflict
from .ports.clock import Clock
from .ports.event_store import Due, DueKind

# Looked at side by side, so that their appends share commits.
BATCH = 256
AFTER_A_FAILURE = timedelta(minutes=1)


class DueWork(Protocol):
    """Work that waits for its time."""

    @property
    def kind(self) -> DueKind | None:
        """Name its due rows; None where it has none, and is looked at now and then."""
        ...

    async def run_due(self) -> int:
        """
        Do some of what is due by now, and give how much; 0 says that nothing is left.

        One thing that fails is raised at the end, and keeps no other waiting. Raises
        `UnavailableError` when the store is out of reach.
        """
        ...


async def handle_due(
    journal: Journal, clock: Clock, kind: DueKind, handle: Callable[[Due], Awaitable[None]]
) -> int:
    """
    Handle what is due of a kind by now, at most 256 at once, and give how many there were.

    A lost race is decided again (`retry_on_conflict`). What fails is put off, so that it is tried again
    stands in nobody's way, and raised.
    """
    due = await journal.due(kind, kind.now(clock), BATCH)
    ended = await asyncio.gather(
        *(retry_on_conflict(partial(handle, each)) for each in due), return_exceptions=True
    )
    failed = [
        (each, error)
        for each, error in zip(due, ended, strict=True)
        if isinstance(error, BaseException)
    ]
    for _, error in failed:
        # A store that is out of reach is the reason of the others, too.
        if isinstance(error, UnavailableError):
            raise error
    for each, _ in failed:
        await put_off(journal, clock, each, AFTER_A_FAILURE)
    if failed:
        raise failed[0][1]
    return len(due)


async def put_off(
    journal: Journal, clock: Clock, due: Due, by: timedelta, *conditions: Condition
) -> None:
    """Have a due row fall due again later."""
    later = evolve(due, at=due.kind.now(clock) + by)
    await journal.write(THE_WORKER, clock.now(), conditions=conditions, due=(later,))

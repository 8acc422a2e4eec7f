"""The common parts of all kinds of due work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Protocol

from attrs import evolve

from ..domain.conditions import Condition
from .caller import THE_WORKER
from .errors import UnavailableError
from .journal import Journal, retry_on_conflict
from .ports.clock import Clock
from .ports.event_store import Due, DueKind, Overtaken

# Rows of a batch are handled side by side, so that their appends share commits.
BATCH = 256
AFTER_A_FAILURE = timedelta(minutes=1)


class DueWork(Protocol):
    """Work that waits for its time."""

    @property
    def kind(self) -> DueKind | None:
        """The kind of its due rows; None for work without due rows, which runs regularly."""
        ...

    async def run_due(self) -> int:
        """
        Do some of the due work and return how much was done; 0 means that none is left.

        A failure does not stop the other work, and is raised at the end. Raises `UnavailableError`
        when the store is out of reach.
        """
        ...


async def handle_due(
    journal: Journal, clock: Clock, kind: DueKind, handle: Callable[[Due], Awaitable[None]]
) -> int:
    """
    Handle the due rows of a kind, at most 256 at once, and return how many there were.

    A lost race is decided again (`retry_on_conflict`). A row whose handling fails is put off, so that
    it delays no other row, and its error is raised at the end. A row that was moved or ended meanwhile
    is left as it is.
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
        # The other errors have the same cause: a store out of reach.
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
    """
    Put a due row off by a time; nothing happens if it no longer stands as it was read.

    Another node, or the work that failed, has then ended it or put it at its next time (D-572).
    """
    later = evolve(due, at=due.kind.now(clock) + by)
    with suppress(Overtaken):
        await journal.write(
            THE_WORKER, clock.now(), conditions=conditions, standing=(due,), due=(later,)
        )

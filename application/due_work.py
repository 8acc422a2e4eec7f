"""What every kind of due work has in common, for whoever runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from .errors import UnavailableError
from .journal import Journal
from .ports.clock import Clock
from .ports.event_store import Due, DueKind

# Looked at side by side, so that their appends share commits.
BATCH = 256


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
    """Handle what is due of a kind by now, at most 256 at once, and give how many there were."""
    due = await journal.due(kind, kind.now(clock), BATCH)
    ended = await asyncio.gather(*map(handle, due), return_exceptions=True)
    failed = [each for each in ended if isinstance(each, BaseException)]
    # A store that is out of reach is the reason of the others, too.
    for each in sorted(failed, key=lambda error: not isinstance(error, UnavailableError)):
        raise each
    return len(due)

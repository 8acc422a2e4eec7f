"""
The aggregates of one kind: loaded by their ids, and decided on.

Here tokens that are bound to an account are held to it: what is another account's does not exist for
them (C-84, D-486).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Generic, TypeVar

from ..domain.decider import Decider, Decision
from ..domain.errors import NotFoundError
from .caller import Caller
from .journal import Journal, change, retry_on_conflict
from .ports.clock import Clock
from .ports.event_store import Loaded
from .records import owner_of

S = TypeVar("S")


async def find_visible(
    journal: Journal, by: Caller, decider: Decider[S], stream: str
) -> Loaded[S] | None:
    """Load an aggregate that the caller may see; return None for another, and for an unknown id."""
    loaded = await journal.find(decider, stream)
    if loaded is None or not by.sees(owner_of(stream, loaded.state)):
        return None
    return loaded


class Repository(Generic[S]):
    """Loads aggregates of one kind; raises `missing` for an id that the caller does not know of."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        decider: Decider[S],
        missing: Callable[[], NotFoundError],
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._decider = decider
        self._missing = missing

    async def load(self, by: Caller, stream: str) -> Loaded[S]:
        """Load an aggregate that the caller may see."""
        loaded = await find_visible(self._journal, by, self._decider, stream)
        if loaded is None:
            raise self._missing()
        return loaded

    async def state(self, by: Caller, stream: str) -> S:
        """Return the state of an aggregate that the caller may see."""
        return (await self.load(by, stream)).state

    async def decide(
        self,
        by: Caller,
        stream: str,
        decide: Callable[[S, datetime], Decision],
        *,
        dropping: tuple[str, ...] = (),
    ) -> S:
        """
        Write the decision of `decide` on an aggregate now, and return the state after it.

        A decision without events writes nothing and drops no seal key of `dropping`. A lost race is
        decided again.
        """

        async def attempt() -> S:
            now = self._clock.now()
            loaded = await self.load(by, stream)
            decision = decide(loaded.state, now)
            after = change(self._decider, stream, loaded, decision)
            if decision.events:
                await self._journal.write(by, now, after, dropping=dropping)
            state: S = after.state
            return state

        return await retry_on_conflict(attempt)

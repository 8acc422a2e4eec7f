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


def may_see(by: Caller, stream: str, state: object) -> bool:
    """Return whether a caller may see an aggregate; one that is bound to an account sees its own alone."""
    return by.bound_to is None or by.sees(owner_of(stream, state))


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
        loaded = await self._journal.find(self._decider, stream)
        if loaded is None or not may_see(by, stream, loaded.state):
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

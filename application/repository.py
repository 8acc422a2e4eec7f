"""The aggregates of one kind: loaded by their ids, and decided on."""

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

S = TypeVar("S")


class Repository(Generic[S]):
    """Loads aggregates of one kind; raises `missing` for an unknown id."""

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

    async def load(self, stream: str) -> Loaded[S]:
        """Load an aggregate."""
        loaded = await self._journal.find(self._decider, stream)
        if loaded is None:
            raise self._missing()
        return loaded

    async def state(self, stream: str) -> S:
        """Return an aggregate's state."""
        return (await self.load(stream)).state

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
            loaded = await self.load(stream)
            decision = decide(loaded.state, now)
            after = change(self._decider, stream, loaded, decision)
            if decision.events:
                await self._journal.write(by, now, after, dropping=dropping)
            state: S = after.state
            return state

        return await retry_on_conflict(attempt)

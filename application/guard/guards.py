"""Find the guards of accounts: for sends from memory, and as they stand in the store (D-387)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Unpack

from ...domain.conditions import Unchanged
from ...domain.decider import Decision
from ...domain.guard import Guard, guard_decider
from ..caller import Caller
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import AppendExtras, Loaded
from ..records.guard import guard_stream


class Guards:
    """
    Finds the guard of an account; one without events has the default policy, at version 0.

    What this process remembers may be old where other nodes write, also that an account has no events.
    So an append that was decided on it requires `unchanged`, and after a `StreamConflict` the next look
    reads the store. A refusal appends nothing, so whoever refuses loads the guard first.
    """

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def recall(self, account_id: str) -> Loaded[Guard]:
        """Return an account's guard as this process remembers it, or load it."""
        return self._recalled(account_id) or await self.load(account_id)

    async def load(self, account_id: str) -> Loaded[Guard]:
        """Return an account's guard as it stands in the store."""
        stream = guard_stream(account_id)
        absent = self._journal.absent
        loaded = await self._journal.find(guard_decider, stream)
        if loaded is not None:
            absent.forget(stream)
            return loaded
        default = absent.get(stream) or Loaded(Guard(account_id=account_id), 0)
        absent.learn(stream, default)
        return default

    async def change(
        self,
        by: Caller,
        account_id: str,
        decide: Callable[[Guard, datetime], Decision],
        **extras: Unpack[AppendExtras],
    ) -> Guard:
        """
        Write the decision of `decide` on an account's guard now, and return the state after it.

        A decision without events writes nothing, and no `extras`. A lost race is decided again.
        """

        async def attempt() -> Guard:
            now = self._clock.now()
            guard = await self.load(account_id)
            decision = decide(guard.state, now)
            after = change(guard_decider, guard_stream(account_id), guard, decision)
            if decision.events:
                await self._journal.write(by, now, after, **extras)
                self._journal.absent.forget(after.stream)
            state: Guard = after.state
            return state

        return await retry_on_conflict(attempt)

    def _recalled(self, account_id: str) -> Loaded[Guard] | None:
        stream = guard_stream(account_id)
        return self._journal.recalled(guard_decider, stream) or self._journal.absent.get(stream)


def unchanged(guard: Loaded[Guard]) -> Unchanged:
    """Return the condition that a guard is still the one that a decision was made on."""
    return Unchanged(guard_stream(guard.state.account_id), guard.version)

"""Remove a test destination: on request, with its person, and after a restore."""

from __future__ import annotations

from ...domain import test_destination as tests
from ...domain.test_destination import TestDestination, test_destination_decider
from ..caller import Caller
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..repository import find_visible
from .noting import guard_change


async def remove_test_destination(
    journal: Journal,
    by: Caller,
    clock: Clock,
    test_id: str,
    erased: frozenset[str] = frozenset(),
) -> TestDestination | None:
    """
    Remove a test destination and its code, and return its state; None for an unknown id.

    One that was removed stays as it is. `erased` are people for whom nothing is sealed any more.
    """

    async def attempt() -> TestDestination | None:
        now = clock.now()
        loaded = await find_visible(journal, by, test_destination_decider, test_id)
        if loaded is None:
            return None
        decision = tests.remove(loaded.state, now)
        after = change(test_destination_decider, test_id, loaded, decision)
        if decision.events:
            noted = await guard_change(journal, now, test_id, loaded.state, None)
            await journal.write(by, now, after, *noted, dropping=(test_id,), erased=erased)
        state: TestDestination = after.state
        return state

    return await retry_on_conflict(attempt)

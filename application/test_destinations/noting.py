"""Note test destinations in their account's guard, which creates look at (D-402)."""

from __future__ import annotations

from datetime import datetime

from ...domain.guard import TestDestinationNoted, guard_decider, note_test
from ...domain.test_destination import TestDestination
from ..journal import Journal, change
from ..ports.event_store import Change
from ..records.guard import guard_stream


async def guard_change(
    journal: Journal, now: datetime, test_id: str, test: TestDestination, until: datetime | None
) -> tuple[Change, ...]:
    """
    Return the change to the guard, if any, that belongs to a test destination's change.

    With `until` None, the destination is an ordinary one again. Raises `ValidationFailedError` if the account
    has too many.
    """
    stream = guard_stream(test.account_id)
    journal.absent.forget(stream)
    loaded = await journal.find(guard_decider, stream)
    noted = TestDestinationNoted(
        at=now,
        account_id=test.account_id,
        person_id=test.person_id,
        test_id=test_id,
        until=until,
    )
    decision = note_test(None if loaded is None else loaded.state, noted)
    if not decision.events:
        return ()
    return (change(guard_decider, stream, loaded, decision),)

"""How far an audit believes a clock to have been moved, on or back (D-159, D-165)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.audit.differences import Kind
from watchword.application.journal import Journal
from watchword.application.ports.clock import CLOCK_OFFSET
from watchword.application.ports.event_store import Append, Change
from watchword.domain.accounts.account import AccountCreated, account_decider

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


async def test_no_clock_is_moved_on_but_a_sandboxs() -> None:
    """A stored offset is a difference if no account is a sandbox's."""
    store = MemoryEventStore()
    await store.keep_setting(CLOCK_OFFSET, "3600")
    (difference,) = (
        await Checking(Journal(store), AuditInputs(sandbox_account="demo")).check()
    ).differences

    assert ("Setting", CLOCK_OFFSET, "none", "3600") == (
        difference.what,
        difference.id,
        difference.expected,
        difference.found,
    )


@pytest.mark.parametrize(("seconds_back", "found"), [(30, ()), (60, ()), (61, (2,))])
async def test_a_clock_may_step_back_by_a_minute(seconds_back: int, found: tuple[int, ...]) -> None:
    """A log that goes back further is a difference, at the event that is too early."""
    store = MemoryEventStore()
    for number, back in enumerate((0, seconds_back)):
        at = NOON - timedelta(seconds=back)
        events = (AccountCreated(at=at, name=f"tea-{number}"),)
        change = Change(f"acc_{number}", 0, events, account_decider.fold(events))
        await store.append(
            Append(at=at, actor="admin", request_id=f"req_{number}", changes=(change,))
        )
    differences = (await Checking(Journal(store), AuditInputs()).check()).differences

    assert found == tuple(each.position for each in differences if each.kind is Kind.TIME)

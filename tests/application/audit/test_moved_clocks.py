"""How far an audit believes a clock to have been moved on (D-159, D-165)."""

from __future__ import annotations

from watchword.adapters.event_store.memory import MemoryEventStore
from watchword.application.audit.checking import Beside, Checking
from watchword.application.journal import Journal
from watchword.application.ports.clock import CLOCK_OFFSET


async def test_no_clock_is_moved_on_but_a_sandboxs() -> None:
    """A setting that would let times go back is a difference where no account is a sandbox's."""
    store = MemoryEventStore()
    await store.keep_setting(CLOCK_OFFSET, "3600")
    (difference,) = (
        await Checking(Journal(store), Beside(sandbox_account="demo")).check()
    ).differences

    assert ("Setting", CLOCK_OFFSET, "none", "3600") == (
        difference.what,
        difference.id,
        difference.expected,
        difference.found,
    )

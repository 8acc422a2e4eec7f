"""The conditions of an append: a change brings those of its decision."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.caller import Caller
from watchword.application.journal import Journal, beginning
from watchword.application.ports.event_store import Change, HeldByOthers, StreamConflict
from watchword.domain.accounts.account import account_decider, account_name, create
from watchword.domain.conditions import Unchanged, WithinRate
from watchword.domain.decider import Decision
from watchword.domain.rate_limit import Rate

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
OPERATOR = Caller("", "admin", "req_1")
ONCE = WithinRate("teas", Rate("1/h"), NOON)


def named(account_id: str) -> Change:
    """Return the change that creates an account, which claims its name."""
    return beginning(account_decider, account_id, create(NOON, account_id, "Orchid"))


async def test_a_change_brings_the_conditions_of_its_decision() -> None:
    """A use case that writes a change, and says nothing of conditions, has them checked."""
    journal = Journal(MemoryEventStore())
    await journal.write(OPERATOR, NOON, named("acc_1"))

    with pytest.raises(HeldByOthers) as held:
        await journal.write(OPERATOR, NOON, named("acc_2"))

    assert account_name("Orchid") == held.value.subject


async def test_what_was_read_is_checked_before_what_was_decided() -> None:
    """A decision on a state that has moved is decided again, even if another condition would refuse it."""
    journal = Journal(MemoryEventStore())
    await journal.write(OPERATOR, NOON, named("acc_1"))
    stale = Unchanged("acc_1", 0)

    with pytest.raises(StreamConflict):
        await journal.write(OPERATOR, NOON, named("acc_2"), conditions=(stale,))


def test_one_decision_after_another_keeps_the_conditions_of_both() -> None:
    """Two decisions of one stream are one, which states all conditions in their order."""
    first = create(NOON, "acc_1", "Orchid")

    both = first.followed_by(Decision(conditions=(ONCE,)))

    assert Decision(first.events, (*first.conditions, ONCE)) == both

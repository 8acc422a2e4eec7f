"""People are found by account and destination, without a number in the store (C-28, C-73)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.vault import Vault
from watchword.application.caller import Caller
from watchword.application.journal import Journal
from watchword.application.people.people import Met, People, meetings
from watchword.application.ports.event_store import PersonGone, PersonKnown
from watchword.domain.conditions import PersonLives

BY = Caller("acc_1", "key_1", "req_1")
NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
ASHA, BO = "+919812345610", "+447700900123"


class Node:
    """One process on a store that it may share with others."""

    def __init__(self, store: MemoryEventStore, vault: Vault) -> None:
        self.journal = Journal(store)
        self.people = People(self.journal, vault)

    async def meets(self, *met: Met) -> None:
        """Append the meeting of new people."""
        await self.journal.write(BY, NOON, meeting=meetings(met))


def node() -> tuple[Node, Node]:
    """Return two nodes on one store."""
    vault = Vault.random()
    store = MemoryEventStore()
    return Node(store, vault), Node(store, vault)


async def test_a_new_person_is_met_once_and_then_remembered() -> None:
    """The next request for the number reads nothing and meets nobody."""
    here, _ = node()
    first = here.people.recall_or_meet("acc_1", ASHA)
    await here.meets(first)

    assert Met(first.person_id) == here.people.recall_or_meet("acc_1", ASHA)


async def test_a_person_whom_another_node_met_is_learnt_from_the_refusal() -> None:
    """An optimistic create is refused, and decided again for the known person."""
    here, there = node()
    first = there.people.recall_or_meet("acc_1", ASHA)
    await there.meets(first)
    with pytest.raises(PersonKnown):
        await here.meets(here.people.recall_or_meet("acc_1", ASHA))

    assert Met(first.person_id) == here.people.recall_or_meet("acc_1", ASHA)


async def test_an_erased_person_is_forgotten_at_the_next_refusal() -> None:
    """Another node erased the person; the next request meets a new one."""
    here, there = node()
    first = here.people.recall_or_meet("acc_1", ASHA)
    await here.meets(first)
    await there.journal.write(BY, NOON, erasing=(first.person_id,))
    with pytest.raises(PersonGone):
        await here.journal.write(BY, NOON, conditions=(PersonLives(first.person_id),))

    assert first.person_id != here.people.recall_or_meet("acc_1", ASHA).person_id


async def test_all_recipients_of_a_call_are_found_in_one_read() -> None:
    """Known people come without a meeting, new ones with one; spellings of a number share theirs."""
    here, there = node()
    known = there.people.recall_or_meet("acc_1", ASHA)
    await there.meets(known)
    met = await here.people.find_or_meet("acc_1", [ASHA, BO, "+44 7700 900123"])

    assert Met(known.person_id) == met[ASHA]
    assert met[BO] is met["+44 7700 900123"]
    assert 1 == len(meetings(met.values()))


async def test_a_stranger_is_not_found() -> None:
    """A search for an unknown number finds nothing and meets nobody."""
    here, _ = node()
    await here.meets(here.people.recall_or_meet("acc_1", ASHA))

    assert {ASHA} == set(await here.people.find("acc_1", [ASHA, BO]))
    assert {} == await here.people.find("acc_2", [ASHA])


@given(st.sampled_from(["+91 98123 45610", "0091-98123-45610", " 919812345610 ", "(+91)9812345610"]))
def test_all_spellings_of_a_number_are_one_person(spelling: str) -> None:
    """Searches and limits go by the canonical form; another account's same number is another person."""
    vault = Vault.random()
    people = People(Journal(MemoryEventStore()), vault)
    people._journal.remembered.learn(people.recall_or_meet("acc_1", ASHA).meeting)

    assert people.recall_or_meet("acc_1", ASHA) == people.recall_or_meet("acc_1", spelling)
    assert (
        people.recall_or_meet("acc_2", spelling).person_id
        != people.recall_or_meet("acc_1", spelling).person_id
    )

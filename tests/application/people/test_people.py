"""People are found by account and destination, without a number in the store (C-28, C-73)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.adapters.vault import Vault
from watchword.application.caller import Caller
from watchword.application.journal import Journal, beginning
from watchword.application.people.people import People, PersonRef, new_people_of
from watchword.application.ports.event_store import Append, PersonGone, PersonKnown
from watchword.application.ports.sealer import SealKeyMissingError
from watchword.domain.conditions import PersonLives
from watchword.domain.person import ErasePerson, erase, person_decider

BY = Caller("acc_1", "key_1", "req_1")
NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
ASHA, BO = "+919812345610", "+447700900123"


class Node:
    """One process on a store that it may share with others."""

    def __init__(self, store: MemoryEventStore, vault: Vault) -> None:
        self.journal = Journal(store)
        self.people = People(self.journal, vault)

    async def added(self, *met: PersonRef) -> None:
        """Append those that are new."""
        await self.journal.write(BY, NOON, new_people=new_people_of(met))


def node() -> tuple[Node, Node]:
    """Return two nodes on one store."""
    vault = Vault.random()
    store = MemoryEventStore()
    return Node(store, vault), Node(store, vault)


async def test_a_new_person_is_met_once_and_then_remembered() -> None:
    """The next request for the number reads nothing and adds nobody."""
    here, _ = node()
    first = here.people.recall_or_create("acc_1", ASHA)
    await here.added(first)

    assert PersonRef(first.person_id) == here.people.recall_or_create("acc_1", ASHA)


async def test_a_person_whom_another_node_met_is_learnt_from_the_refusal() -> None:
    """An optimistic create is refused, and decided again for the known person."""
    here, there = node()
    first = there.people.recall_or_create("acc_1", ASHA)
    await there.added(first)
    with pytest.raises(PersonKnown):
        await here.added(here.people.recall_or_create("acc_1", ASHA))

    assert PersonRef(first.person_id) == here.people.recall_or_create("acc_1", ASHA)


async def test_a_person_who_was_seen_is_looked_up_before_the_append() -> None:
    """A node that remembers others by now reads the person, and its append is not refused (D-372)."""
    here, _ = node()
    first = await here.people.recall_find_or_create("acc_1", ASHA)
    await here.added(first)
    here.journal.remembered.forget(first.person_id)

    assert here.people.recall_or_create("acc_1", ASHA).new_people
    assert PersonRef(first.person_id) == await here.people.recall_find_or_create("acc_1", ASHA)


async def test_a_person_who_was_seen_and_erased_is_new_again() -> None:
    """What a process has seen is only a hint: the store has the last word (D-372)."""
    here, there = node()
    first = await here.people.recall_find_or_create("acc_1", ASHA)
    await here.added(first)
    here.journal.remembered.forget(first.person_id)
    await there.journal.write(BY, NOON, erasing=(first.person_id,))
    again = await here.people.recall_find_or_create("acc_1", ASHA)

    assert again.new_people
    assert first.person_id != again.person_id


async def test_an_erased_person_is_forgotten_at_the_next_refusal() -> None:
    """Another node erased the person; the next request makes a new one."""
    here, there = node()
    first = here.people.recall_or_create("acc_1", ASHA)
    await here.added(first)
    await there.journal.write(BY, NOON, erasing=(first.person_id,))
    with pytest.raises(PersonGone):
        await here.journal.write(BY, NOON, conditions=(PersonLives(first.person_id),))

    assert first.person_id != here.people.recall_or_create("acc_1", ASHA).person_id


async def test_all_recipients_of_a_call_are_found_in_one_read() -> None:
    """Known people come without a record, new ones with one; spellings of a number share theirs."""
    here, there = node()
    known = there.people.recall_or_create("acc_1", ASHA)
    await there.added(known)
    met = await here.people.find_or_create("acc_1", [ASHA, BO, "+44 7700 900123"])

    assert PersonRef(known.person_id) == met[ASHA]
    assert met[BO] is met["+44 7700 900123"]
    assert 1 == len(new_people_of(met.values()))


async def test_an_unknown_number_is_not_found() -> None:
    """A search for an unknown number finds nothing and adds nobody."""
    here, _ = node()
    known = here.people.recall_or_create("acc_1", ASHA)
    await here.added(known)

    assert known.person_id == await here.people.find("acc_1", ASHA)
    assert await here.people.find("acc_1", BO) is None
    assert await here.people.find("acc_2", ASHA) is None


@given(
    st.sampled_from(["+91 98123 45610", "0091-98123-45610", " 919812345610 ", "(+91)9812345610"])
)
def test_all_spellings_of_a_number_are_one_person(spelling: str) -> None:
    """Searches and limits go by the canonical form; another account's same number is another person."""
    vault = Vault.random()
    people = People(Journal(MemoryEventStore()), vault)
    people._journal.remembered.learn(people.recall_or_create("acc_1", ASHA).new_people)

    assert people.recall_or_create("acc_1", ASHA) == people.recall_or_create("acc_1", spelling)
    assert (
        people.recall_or_create("acc_2", spelling).person_id
        != people.recall_or_create("acc_1", spelling).person_id
    )


async def test_an_outcome_is_recorded_for_an_erased_person() -> None:
    """An append that only continues streams is written without what would be sealed (D-346)."""
    store = Refusing()
    journal = Journal(store)
    decision = erase(ErasePerson(at=NOON, account_id="acc_1"))
    begun = beginning(person_decider, "per_1", decision)
    with pytest.raises(PersonGone):
        await journal.write(BY, NOON, begun)
    await journal.write(BY, NOON, replace(begun, expected_version=1))

    assert [frozenset({"per_1"})] == [append.erased for append in store.written]


class Refusing(MemoryEventStore):
    """A store in which the person of every append was erased."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[Append] = []

    async def append(self, append: Append) -> list[int]:
        """Refuse what is not written as erased."""
        if "per_1" not in append.erased:
            raise PersonGone("per_1")
        self.written.append(append)
        return []


async def test_a_node_that_cannot_read_a_person_leaves_the_work_to_others() -> None:
    """It has an older code key; who was erased is told apart from that by the store (C-74)."""
    vault = new_vault()
    journal = Journal(MemoryEventStore(vault=vault))
    here, behind = People(journal, vault), People(journal, Vault(None))
    met = here.recall_or_create("acc_1", ASHA)
    await journal.write(BY, NOON, new_people=met.new_people)

    assert {met.person_id} == set(await here.readable([met.person_id, "per_erased"]))
    assert set() == set(await behind.readable(["per_erased"]))
    with pytest.raises(SealKeyMissingError):
        await behind.readable([met.person_id])

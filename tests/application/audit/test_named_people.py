"""The people whom events name have their keys in the store until they are erased (C-74, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

from tests.contracts.event_store.histories import step
from tests.contracts.event_store.sample_people import ANNA, BERT, person
from tests.vaults import new_vault
from watchword.adapters.event_store.memory.store import MemoryEventStore
from watchword.application.audit.named_people import NamedPeople
from watchword.application.ports.event_store import PersonRecord
from watchword.application.ports.snapshot import KeptEvent
from watchword.domain.person import ErasedPerson

GARDEN = "account-garden"
ERASED = ErasedPerson(account_id=GARDEN, created_at=datetime(2031, 5, 4, tzinfo=UTC))


def naming(stream: str, *people: str, account: str = GARDEN, version: int = 1) -> KeptEvent:
    """Return an event of a stream that names people."""
    return KeptEvent(
        position=1,
        stream=stream,
        version=version,
        topic="PinIssued/1",
        event=None,
        account=account,
        people=people,
    )


async def found(
    events: list[tuple[KeptEvent, Any]], *there: PersonRecord
) -> list[tuple[str, str, Any, Any]]:
    """Return the differences between events with the states after them and a store with people."""
    store = MemoryEventStore(vault=new_vault())
    await store.append(step(new_people=there))
    with closing(NamedPeople()) as people:
        for kept, state in events:
            people.take(kept, state)
        async with store.snapshot() as snapshot:
            differences: AsyncIterator[Any] = people.differences(snapshot)
            return [(each.id, each.field, each.expected, each.found) async for each in differences]


async def test_people_with_their_keys_are_no_difference() -> None:
    """However often they are named."""
    events = [
        (naming("pin_1", "per_anna"), None),
        (naming("pin_1", "per_anna", version=2), None),
        (naming("run_1", "per_anna", "per_bert"), None),
        (naming("pin_2"), None),
    ]

    assert [] == await found(events, ANNA, BERT)


async def test_a_person_whom_no_event_names_is_a_difference() -> None:
    """The append that meets a person also writes an event about the person."""
    events = [(naming("pin_1", "per_bert"), None)]
    strangers = [
        (each, "", "an event that names the person", "none") for each in ("per_anna", "per_cleo")
    ]

    assert strangers == await found(events, ANNA, BERT, person("cleo"))


async def test_nothing_is_left_of_a_person_once_the_erasure_is_finished() -> None:
    """Until then the worker has to blank the rows; afterwards somebody put a text back."""
    with closing(NamedPeople()) as people:
        people.take(naming("per_anna"), ERASED)
        people.leave("per_anna", "row pin_1")
        people.leave("per_bert", "row pin_2")
        people.finish("per_anna")
        people.take(naming("per_bert"), ERASED)
        async with MemoryEventStore(vault=new_vault()).snapshot() as snapshot:
            left = [(each.id, each.field) async for each in people.differences(snapshot)]

    assert [("per_anna", "row pin_1")] == left


async def test_a_person_without_a_key_is_a_difference() -> None:
    """Nothing opens what is sealed for the person, and no event says that this was meant."""
    events = [(naming("pin_1", "per_anna"), None), (naming("pin_2", "per_bert"), None)]

    assert [("per_bert", "", "a key", "none")] == await found(events, ANNA)


async def test_an_erased_person_needs_no_key_and_may_have_none() -> None:
    """A key that is there after the erasure, as from an old backup, is a difference."""
    events = [
        (naming("per_anna", "per_anna"), ERASED),
        (naming("per_bert"), ERASED),
        (naming("pin_1", "per_anna"), None),
        (naming("pin_2", "per_bert"), None),
    ]

    assert [] == await found(events)
    assert [("per_anna", "", "no key, after the erasure", "a key")] == await found(events, ANNA)


async def test_a_person_belongs_to_one_account() -> None:
    """The table names another account than the events do."""
    events = [(naming("pin_1", "per_anna", account="account-pond"), None)]

    assert [("per_anna", "account", "account-pond", GARDEN)] == await found(events, ANNA)

"""Outcomes that meet an erasure: recorded without what is personal, and answered as ever (C-74, D-357)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from tests.application.house import House, build_house
from tests.application.post_office import RECIPIENT, message, send
from tests.application.receipts import DELIVERED, report, take_receipts
from tests.fakes.providers import Answer, HesitantProvider
from tests.vaults import new_vault
from watchword.application.audit.checking import AuditInputs, Checking
from watchword.application.data_requests.erasure_stages import FORGOTTEN_WITHIN
from watchword.application.ports.channels import Accepted, Message
from watchword.application.ports.event_store import DueKind, EventStore, KeyAnswered
from watchword.domain.channel import OutcomeStatus
from watchword.domain.event import ERASED
from watchword.domain.message import MessageStatus, message_decider
from watchword.domain.pin import PinStatus, pin_decider
from watchword.domain.receipt import provider_message

OTHER = "+447700900999"
PIN_NUMBER = "+919812345610"


class LateProvider(HesitantProvider):
    """Makes the ids of messages of their numbers, and answers when a test says so."""

    async def _hesitate(self, message: Message) -> Answer:
        await super()._hesitate(message)
        return Accepted(f"late-{message.destination}")


async def erase(house: House, number: str) -> None:
    """Erase the person of a number, with all the work that the call waits for."""
    assert (await house.service.erasing_people.erase(house.by, number)).finished


async def during(provider: LateProvider, house: House, sending: Any, *numbers: str) -> Any:
    """Erase the people of some numbers while a provider has a call's messages; return the result."""
    task = asyncio.create_task(sending)
    await provider.asked.wait()
    for each in numbers:
        await erase(house, each)
    provider.may_answer.set()
    return await task


async def differences(house: House) -> tuple[Any, ...]:
    """Return what an audit finds in a store with the secret that finds people, as a service makes it."""
    index = new_vault().index_key
    assert index is not None
    await house.store.keep_key(index)
    inputs = AuditInputs(now=house.clock.now)
    return (await Checking(house.service.journal, inputs).check()).differences


async def test_a_code_in_flight_is_recorded_and_answered(store: EventStore) -> None:
    """The caller has the answer, also on a replay; nothing personal of the outcome is stored."""
    provider = LateProvider()
    house = await build_house(provider, inside=store)
    sent = await during(provider, house, house.issue(once="tea"), PIN_NUMBER)
    loaded = await store.load(pin_decider, sent.pin_id)
    with pytest.raises(KeyAnswered):
        await house.issue(once="tea", owner="two")

    assert OutcomeStatus.ACCEPTED is sent.channels[0].status
    assert loaded is not None
    assert (ERASED, PinStatus.EXPIRED) == (
        loaded.state.destination,
        loaded.state.status_at(house.clock.now()),
    )
    assert ["PinIssued", "PinErased", "PinDispatched"] == await house.story(sent.pin_id)
    assert () == await differences(house)
    (outcome,) = loaded.state.outcomes
    assert ERASED == outcome.provider_message_id


@pytest.mark.parametrize("others", [0, 2])
async def test_messages_in_flight_are_recorded_and_answered(store: EventStore, others: int) -> None:
    """One outcome alone, or beside those of others in one append, which seals theirs as ever."""
    provider = LateProvider(1 + others)
    house = await build_house(provider, inside=store)
    calls = [message(recipient=each) for each in (RECIPIENT, OTHER, "+447700900998")[: 1 + others]]
    first, *rest = await during(provider, house, send(house, *calls, once="tea"), RECIPIENT)
    loaded = await store.load(message_decider, first.message_id)
    with pytest.raises(KeyAnswered):
        await send(house, *calls, once="tea")

    assert first.accepted
    assert loaded is not None
    assert (ERASED, MessageStatus.ACCEPTED) == (loaded.state.recipient, loaded.state.status)
    assert () == await differences(house)
    for each in rest:
        of_other = await store.load(message_decider, each.message_id)
        assert of_other is not None
        assert of_other.state.outcome is not None
        assert f"late-{of_other.state.recipient}" == of_other.state.outcome.provider_message_id


async def test_everybody_in_a_call_is_erased_meanwhile(store: EventStore) -> None:
    """Each refusal of the store names one of them, and the append is written without all."""
    provider = LateProvider(2)
    house = await build_house(provider, inside=store)
    calls = [message(recipient=each) for each in (RECIPIENT, OTHER)]
    sent = await during(provider, house, send(house, *calls, once="tea"), RECIPIENT, OTHER)

    assert all(each.accepted for each in sent)
    assert () == await differences(house)


@pytest.mark.parametrize("route", ["pin", "message"])
async def test_an_answer_in_flight_ends_with_the_erasure(store: EventStore, route: str) -> None:
    """It is there for a replay at once, and gone when the erasure is over."""
    provider = LateProvider()
    house = await build_house(provider, inside=store)
    sending: Callable[[], Awaitable[Any]] = partial(send, house, once="tea")
    number = RECIPIENT
    if route == "pin":
        sending, number = partial(house.issue, once="tea"), PIN_NUMBER
    await during(provider, house, sending(), number)
    with pytest.raises(KeyAnswered):
        await sending()
    house.clock.move(FORGOTTEN_WITHIN.total_seconds())
    (erasures,) = (each for each in house.service.due_work if each.kind is DueKind.ERASURE)
    while await erasures.run_due():
        pass

    assert None is await sending_again(sending)
    assert [] == [*await store.due(DueKind.ERASURE, house.clock.now() + timedelta(days=1), 9)]


async def sending_again(sending: Callable[[], Awaitable[Any]]) -> bytes | None:
    """Send once more under the same Idempotency-Key; return the saved answer, if there is one."""
    try:
        await sending()
    except KeyAnswered as answered:
        return answered.answer
    return None


async def test_nobody_holds_the_id_of_an_erased_persons_message(store: EventStore) -> None:
    """It may be made of the number; the erasure has dropped the others, and would miss this one."""
    provider = LateProvider()
    house = await build_house(provider, inside=store)
    (sent,) = await during(provider, house, send(house), RECIPIENT)
    loaded = await store.load(message_decider, sent.message_id)
    assert loaded is not None
    subject = provider_message(loaded.state.channel_account_id, f"late-{RECIPIENT}")

    assert frozenset() == await store.holders(subject)
    assert () == await differences(house)


async def test_a_receipt_that_came_before_the_outcome_is_recorded(store: EventStore) -> None:
    """It waited under the provider's id, which nobody holds afterwards."""
    provider = LateProvider()
    house = await build_house(provider, inside=store)
    sending = asyncio.create_task(send(house))
    await provider.asked.wait()
    await take_receipts(house, provider.messages[0], report(DELIVERED, f"late-{RECIPIENT}"))
    await erase(house, RECIPIENT)
    provider.may_answer.set()
    (sent,) = await sending
    loaded = await store.load(message_decider, sent.message_id)
    assert loaded is not None
    subject = provider_message(loaded.state.channel_account_id, f"late-{RECIPIENT}")

    assert MessageStatus.DELIVERED is loaded.state.status
    assert frozenset() == await store.holders(subject)
    assert () == await differences(house)

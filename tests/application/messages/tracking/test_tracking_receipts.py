"""Receipts of messages: each is recorded once, on its message, in any order (C-22, C-50)."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.application.house import House, build_house
from tests.application.post_office import (
    WAIT,
    fallback,
    falls_back,
    message,
    send,
    step,
    work,
)
from tests.application.receipts import (
    DELIVERED,
    FAILED,
    NOON,
    READ,
    SENT,
    EarlyProvider,
    audited,
    parked,
    recorded_statuses,
    report,
    take_receipts,
)
from tests.fakes.providers import HesitantProvider, ScriptedProvider
from watchword.application.errors import UnavailableError
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.application.ports.event_store import DueKind
from watchword.application.records.fallback_run import FallbackRunRow
from watchword.application.records.message import MessageRow
from watchword.domain.channel import Channel
from watchword.domain.message import MessageStatus, climbed
from watchword.domain.receipt import ReceiptStatus

NEXT_YEAR = NOON.replace(year=2032)
statuses = st.lists(st.sampled_from(ReceiptStatus), max_size=4)


async def status_of(house: House, message_id: str) -> str:
    """Return the status that the history shows."""
    row = await house.store.row(MessageRow, message_id)
    assert row is not None
    return row.status


async def run_status(house: House, run_id: str | None) -> str:
    """Return the status of a run."""
    row = await house.store.row(FallbackRunRow, str(run_id))
    assert row is not None
    return row.status


async def test_a_receipt_is_recorded_on_its_message() -> None:
    """The event has the channel account as its actor, and the provider's own time."""
    house = await build_house()
    (sent,) = await send(house)
    (handed,) = house.provider.messages
    await take_receipts(house, handed, report(DELIVERED, "scripted-1"))
    (*_, recorded) = await house.store.read_stream(sent.message_id)
    row = await house.store.row(MessageRow, sent.message_id)

    assert "delivered" == await status_of(house, sent.message_id)
    assert handed.channel_account_id == recorded.actor
    assert recorded.request_id.startswith("req_")
    assert row is not None
    assert ("delivered", NOON) == (row.events[-1].status, row.events[-1].at)


async def test_a_failure_says_why() -> None:
    """The provider's reason stands in the history."""
    house = await build_house()
    (sent,) = await send(house)
    await take_receipts(house, house.provider.messages[0], report(FAILED, "scripted-1", "absent"))
    row = await house.store.row(MessageRow, sent.message_id)

    assert row is not None
    assert ("failed", "absent") == (row.status, row.events[-1].error_code)


async def test_the_same_id_of_another_account_is_another_message() -> None:
    """Providers number their messages separately, so a receipt of one does not concern the other."""
    same = ScriptedProvider(lambda _: _accepted("42"))
    house = await build_house(same)
    (by_sms,) = await send(house)
    (by_rcs,) = await send(house, message(channel=Channel.RCS))
    await take_receipts(house, same.messages[1], report(READ, "42"))

    assert "accepted" == await status_of(house, by_sms.message_id)
    assert "read" == await status_of(house, by_rcs.message_id)


async def _accepted(provider_message_id: str) -> Accepted:
    return Accepted(provider_message_id)


async def test_a_delivery_stands_the_run_down() -> None:
    """One append records both, so the fallback of a delivered message can never fire."""
    house = await build_house()
    await falls_back(house)
    (sent,) = await send(house, fallback=fallback())
    await take_receipts(house, house.provider.messages[0], report(DELIVERED, "scripted-1"))
    house.clock.move(WAIT + 1)
    await work(house)

    assert "stood_down" == await run_status(house, sent.run_id)
    assert [] == await house.store.due(DueKind.FALLBACK, house.clock.now(), 10)
    assert 1 == len(house.provider.messages)


async def test_a_failure_fires_at_once() -> None:
    """The step is due with the receipt, long before the deadline."""
    house = await build_house()
    await falls_back(house)
    (sent,) = await send(house, fallback=fallback())
    await take_receipts(house, house.provider.messages[0], report(FAILED, "scripted-1"))
    await work(house)

    assert "fired" == await run_status(house, sent.run_id)
    assert 2 == len(house.provider.messages)


async def test_a_receipt_of_a_step_moves_the_run_on() -> None:
    """The receipt of a step's message decides about the next step."""
    house = await build_house()
    await falls_back(house, Channel.SMS, Channel.RCS)
    steps = fallback(step(), step(channel=Channel.RCS))
    (sent,) = await send(house, fallback=steps)
    await take_receipts(house, house.provider.messages[0], report(FAILED, "scripted-1"))
    await work(house)
    await take_receipts(house, house.provider.messages[1], report(DELIVERED, "scripted-2"))
    house.clock.move(10 * WAIT)
    await work(house)

    assert 2 == len(house.provider.messages)
    assert "FallbackStoodDown" == (await house.story(str(sent.run_id)))[-1]


async def test_a_late_receipt_is_recorded_and_decides_nothing() -> None:
    """The fallback has fired: one more line in the history, and the end stays (C-20, C-64)."""
    house = await build_house()
    await falls_back(house)
    (sent,) = await send(house, fallback=fallback())
    house.clock.move(WAIT)
    await work(house)
    story = await house.story(str(sent.run_id))
    await take_receipts(house, house.provider.messages[0], report(DELIVERED, "scripted-1"))

    assert "expired" == await status_of(house, sent.message_id)
    assert "MessageReported" == (await house.story(sent.message_id))[-1]
    assert story == await house.story(str(sent.run_id))


async def test_a_receipt_for_an_unknown_id_is_parked() -> None:
    """All receipts of one id share one stream (C-22)."""
    house = await build_house()
    await send(house)
    await take_receipts(house, house.provider.messages[0], report(SENT), report(DELIVERED))
    (stream,) = await parked(house)
    (due,) = await house.store.due(DueKind.PARKED_RECEIPT, NEXT_YEAR, 10)

    assert ["ReceiptParked", "ReceiptParked"] == await house.story(stream)
    assert stream == due.stream


async def test_an_early_receipt_is_matched_with_the_outcome() -> None:
    """It arrived before the provider's answer, but the history shows the dispatch first (C-22)."""
    early = EarlyProvider(report(SENT), report(DELIVERED))
    house = early.house = await build_house(ScriptedProvider(early))
    (sent,) = await send(house)
    (stream,) = await parked(house)

    assert [
        "MessageSubmitted",
        "MessageDispatched",
        "MessageReported",
        "MessageReported",
    ] == await house.story(sent.message_id)
    assert ["ReceiptParked", "ReceiptParked", "ReceiptMatched"] == await house.story(stream)
    assert "delivered" == await status_of(house, sent.message_id)
    assert [] == await house.store.due(DueKind.PARKED_RECEIPT, NEXT_YEAR, 10)


async def test_an_early_failure_fires_the_fallback() -> None:
    """A parked receipt counts in the run as if it had arrived after the outcome."""
    early = EarlyProvider(report(FAILED))
    house = early.house = await build_house(ScriptedProvider(early))
    await falls_back(house)
    (sent,) = await send(house, fallback=fallback())

    assert ["FallbackArmed", "FallbackTriggered"] == await house.story(str(sent.run_id))


async def test_a_message_without_an_id_leaves_parked_receipts_alone() -> None:
    """Rejected: there is nothing that a receipt could be about."""

    async def refuse(_: Message) -> Rejected:
        return Rejected("no", "No.")

    house = await build_house(ScriptedProvider(refuse))
    (sent,) = await send(house)
    await take_receipts(house, house.provider.messages[0], report(DELIVERED))

    assert "rejected" == await status_of(house, sent.message_id)
    assert 1 == len(await parked(house))


async def test_a_lost_race_is_decided_again() -> None:
    """The receipt is recorded once, after any number of lost races."""
    house = await build_house()
    (sent,) = await send(house)
    house.store.races = 5
    await take_receipts(house, house.provider.messages[0], report(DELIVERED, "scripted-1"))

    assert ["delivered"] == await recorded_statuses(house, "MessageReported")
    assert "delivered" == await status_of(house, sent.message_id)


async def test_whoever_takes_the_id_meanwhile_gets_the_receipt() -> None:
    """A message took the id between the receipt's look-up and its parking."""
    provider = HesitantProvider()
    house = await build_house(provider)
    sending = asyncio.create_task(send(house))
    await provider.asked.wait()

    async def answer() -> None:
        provider.may_answer.set()
        await sending

    house.store.meanwhile = answer
    await take_receipts(house, provider.messages[0], report(DELIVERED, "at last"))
    (sent,) = await sending

    assert "delivered" == await status_of(house, sent.message_id)
    assert [] == await parked(house)


async def test_a_receipt_that_comes_while_others_are_matched_is_not_lost() -> None:
    """It looked when they were parked, and was to join them when the message had taken them."""
    provider = HesitantProvider()
    house = await build_house(provider)
    sending = asyncio.create_task(send(house))
    await provider.asked.wait()
    await take_receipts(house, provider.messages[0], report(SENT, "at last"))

    async def answer() -> None:
        provider.may_answer.set()
        await sending

    house.store.meanwhile = answer
    await take_receipts(house, provider.messages[0], report(DELIVERED, "at last"))
    (sent,) = await sending

    assert ["sent", "delivered"] == await recorded_statuses(house, "MessageReported")
    assert "delivered" == await status_of(house, sent.message_id)


async def test_a_store_out_of_reach_is_told() -> None:
    """The refusal makes the provider report again."""
    house = await build_house()
    await send(house)
    house.store.reachable = False

    with pytest.raises(UnavailableError):
        await take_receipts(house, house.provider.messages[0], report(DELIVERED, "scripted-1"))


@given(before=statuses, during=statuses, after=statuses)
def test_every_receipt_counts_once_in_any_order(
    before: list[ReceiptStatus], during: list[ReceiptStatus], after: list[ReceiptStatus]
) -> None:
    """
    Receipts before, during and after the outcome are each recorded once.

    The ladder decides the status in any order, and an audit agrees.
    """

    async def story() -> None:
        provider = HesitantProvider()
        house = await build_house(provider)
        async with audited(house):
            sending = asyncio.create_task(send(house))
            await provider.asked.wait()
            (handed,) = provider.messages

            async def bring(statuses: list[ReceiptStatus]) -> None:
                await asyncio.gather(
                    *(
                        take_receipts(house, handed, report(status, "at last"))
                        for status in statuses
                    )
                )

            await bring(before)
            provider.may_answer.set()
            _, (sent,) = await asyncio.gather(bring(during), sending)
            await bring(after)

            recorded = await recorded_statuses(house, "MessageReported")
            status = MessageStatus.ACCEPTED
            for each in recorded:
                status = climbed(status, ReceiptStatus(each))

            assert sorted(recorded) == sorted([*before, *during, *after])
            assert status == await status_of(house, sent.message_id)
            # No parked receipt is left: all were matched.
            assert [] == await house.store.due(DueKind.PARKED_RECEIPT, NEXT_YEAR, 9)

    asyncio.run(story())

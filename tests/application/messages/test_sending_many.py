"""Sending many messages in one call: so many at a time, and none without an outcome (C-19, C-20)."""

from __future__ import annotations

import asyncio

import attrs

from tests.application.house import build_house
from tests.application.post_office import fallback, falls_back, message, send, step, work
from tests.fakes.providers import ScriptedProvider
from watchword.application.journal import change
from watchword.application.messages.dispatching.dispatching_calls import AT_ONCE
from watchword.application.messages.planning.send_requests import MessageRequest
from watchword.application.ports.channels import Accepted, Message
from watchword.domain.channel import Channel
from watchword.domain.message import (
    MessageDispatched,
    TakeMessageReceipt,
    message_decider,
    take_receipt,
)
from watchword.domain.receipt import Receipt, ReceiptStatus


class ClingingProvider(ScriptedProvider):
    """Answers nothing, and needs as long again to stop after its time-out."""

    timeout = 0.02

    def __init__(self) -> None:
        super().__init__(self._cling)

    async def _cling(self, message: Message) -> Accepted:
        try:
            return await asyncio.Future[Accepted]()
        finally:
            await asyncio.sleep(self.timeout)


def many(count: int) -> list[MessageRequest]:
    """Write so many messages, each to another number."""
    return [message(recipient=f"+44770{n:07}") for n in range(count)]


async def test_a_thousand_messages_are_one_call() -> None:
    """The most that a call may have; all are recorded, and each has its own id (C-19)."""
    house = await build_house()
    sent = await send(house, *many(1000))

    assert 1000 == len({each.message_id for each in sent})
    assert all(each.accepted for each in sent)


async def test_a_call_has_so_many_messages_under_way_at_once() -> None:
    """One call leaves room at the provider for others; the rest follows as soon as there is place."""
    under_way = most = 0
    full = asyncio.Event()

    async def count(sent: Message) -> Accepted:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        if under_way == AT_ONCE:
            full.set()
        await full.wait()
        under_way -= 1
        return Accepted(sent.reference)

    house = await build_house(ScriptedProvider(count))
    sent = await send(house, *many(3 * AT_ONCE))

    assert AT_ONCE == most
    assert all(each.accepted for each in sent)


async def test_a_message_that_finds_no_place_in_time_is_rejected() -> None:
    """It is `channel_busy`, without a try; its fallback fires at once (C-20)."""
    house = await build_house(ClingingProvider(), provider_timeout=ClingingProvider.timeout)
    await falls_back(house)
    # The breaker of the first channel account, which is the oldest, is open by then (C-69).
    house.clock.move(1)
    await house.service.channel_accounts.create(
        house.by,
        channel_type=Channel.SMS,
        provider="scripted",
        name="spare",
        sender="SPARE",
        config={},
    )
    again = fallback(attrs.evolve(step(), sender="SPARE"))
    *tried, late = await send(house, *many(AT_ONCE + 1), fallback=again)

    assert {"provider_timeout"} == {each.error_code for each in tried}
    assert (False, "channel_busy") == (late.accepted, late.error_code)
    assert {each.message_id for each in tried} == {
        each.reference for each in house.provider.messages
    }
    assert ["FallbackArmed", "FallbackTriggered"] == await house.story(str(late.run_id))

    house.provider.script = None
    await work(house)

    assert "FallbackFired" in await house.story(str(late.run_id))
    assert late.recipient in {each.destination for each in house.provider.messages[AT_ONCE:]}


async def test_outcomes_that_come_together_are_one_append() -> None:
    """An append for each of a thousand would keep everybody else from the writer (C-94)."""
    house = await build_house()
    await falls_back(house)
    before = house.store.appended
    sent = await send(house, *many(200), fallback=fallback())
    log = await house.store.read_log(0, 2000)

    dispatched = {each.stream for each in log if each.type == "MessageDispatched"}
    assert {each.message_id for each in sent} == dispatched
    assert house.store.appended - before < 40


async def test_ids_that_a_provider_gives_twice_fail_no_outcome() -> None:
    """The first message has it; the others of the call are recorded without it (D-37)."""

    async def repeat(_: Message) -> Accepted:
        return Accepted("the-same-for-all")

    house = await build_house(ScriptedProvider(repeat))
    sent = await send(house, *many(5))
    log = await house.store.read_log(0, 1000)

    outcomes = [each.event.outcome for each in log if isinstance(each.event, MessageDispatched)]
    assert all(each.accepted for each in sent)
    assert [None] * 4 + ["the-same-for-all"] == sorted(
        (each.provider_message_id for each in outcomes), key=str
    )


async def test_a_message_that_moved_meanwhile_is_recorded_by_itself() -> None:
    """A receipt is faster than the outcomes of its call, and nothing of the others is lost."""

    async def told_before(sent: Message) -> Accepted:
        if sent.destination.endswith("0000003"):
            now = house.clock.now()
            loaded = await house.service.journal.load(message_decider, sent.reference)
            reported = take_receipt(
                loaded.state,
                TakeMessageReceipt(
                    at=now, receipt=Receipt(status=ReceiptStatus.DELIVERED, reported_at=now)
                ),
            )
            await house.service.journal.write(
                house.by, now, change(message_decider, sent.reference, loaded, reported)
            )
        return Accepted(sent.reference)

    house = await build_house(ScriptedProvider(told_before))
    sent = await send(house, *many(5))

    stories = [await house.story(each.message_id) for each in sent]
    assert ["MessageSubmitted", "MessageReported", "MessageDispatched"] == stories[3]
    del stories[3]
    assert [["MessageSubmitted", "MessageDispatched"]] * 4 == stories

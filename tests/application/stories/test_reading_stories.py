"""The story of a PIN or a message: every event in order, and the state after each (C-85)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from tests.application.house import House, build_house
from tests.application.post_office import (
    CODE,
    READY,
    RECIPIENT,
    WAIT,
    fallback,
    falls_back,
    message,
    receive,
    send,
    step,
    work,
)
from tests.application.receipts import DELIVERED, report, take_receipts
from tests.application.stored_templates import keep_rcs
from watchword.application.caller import Caller
from watchword.application.stories.message_story import RunLine
from watchword.domain.audit_read import AuditRead
from watchword.domain.channel import Channel
from watchword.domain.fallback_run import TriggerReason
from watchword.domain.message import MessageNotFoundError, RcsTemplateContent
from watchword.domain.pin import PinIncorrectError, PinNotFoundError, PinStatus
from watchword.domain.template_filling import filled_rcs

LOOKING = Caller("", "tok_auditor", "req_look")


def bound(account_id: str) -> Caller:
    """Return a reader whose token is bound to an account."""
    return replace(LOOKING, bound_to=account_id)


async def test_a_pin_as_it_was_after_each_of_its_events() -> None:
    """Each step replays the stream up to it; the newest one is the PIN as it is now."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    with pytest.raises(PinIncorrectError):
        await house.service.verifying.verify(house.by, pin_id, "0000000000")
    await take_receipts(house, house.provider.messages[0], report(DELIVERED, "scripted-1"))
    await house.service.verifying.verify(house.by, pin_id, house.code())
    told = await house.service.stories.pin(LOOKING, pin_id)
    moments = [told.moment(step) for step in range(1, told.story.last + 1)]

    assert ["PinIssued", "PinDispatched", "VerifyFailed", "PinReported", "PinVerified"] == [
        each.type for each in told.story.events
    ]
    assert [3, 3, 2, 2, 2] == [each.view.attempts_remaining for each in moments]
    assert [*["PENDING"] * 4, "VERIFIED"] == [each.view.status for each in moments]
    assert [False, False, False, True, True] == [
        any("receipt" in channel for channel in each.view.channels) for each in moments
    ]


async def test_a_pin_that_nobody_touched_has_expired_by_now() -> None:
    """The newest moment is that of the reading; an earlier one stays what it was (C-15)."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    house.clock.move(24 * 3600)
    told = await house.service.stories.pin(LOOKING, pin_id)

    assert PinStatus.PENDING == told.moment(1).view.status
    assert PinStatus.EXPIRED == told.moment(2).view.status


async def test_who_acted_has_the_name_that_operators_gave() -> None:
    """A channel account that reported is named; what has no name is not in the list."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    (handed,) = house.provider.messages
    await take_receipts(house, handed, report(DELIVERED, "scripted-1"))
    told = await house.service.stories.pin(LOOKING, pin_id)

    assert {handed.channel_account_id: "sms"} == told.story.names
    assert "key_web" == told.story.events[0].actor


async def test_a_story_that_was_read_is_on_the_record() -> None:
    """The event names the reader and the streams that were shown (C-82)."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    await house.service.stories.pin(LOOKING, pin_id)
    house.clock.move(61)
    await house.service.recording_reads.run_due()
    (read,) = [
        each.event
        for each in await house.store.read_log(0, 1000)
        if isinstance(each.event, AuditRead)
    ]

    assert ("tok_auditor", (pin_id,)) == (read.reader, read.streams)


@pytest.mark.parametrize(
    "reader", [lambda _: bound("acc_other"), lambda house: bound(house.by.account_id)]
)
async def test_a_bound_reader_finds_the_things_of_its_account_alone(
    reader: Callable[[House], Caller],
) -> None:
    """What belongs to another account is unknown (C-84)."""
    house = await build_house()
    by = reader(house)
    pin_id = (await house.issue()).pin_id
    (sent,) = await send(house)
    message_id = sent.message_id
    stories = house.service.stories
    if by.bound_to == house.by.account_id:
        assert pin_id == (await stories.pin(by, pin_id)).pin_id
        assert message_id == (await stories.message(by, message_id)).message_id
    else:
        with pytest.raises(PinNotFoundError):
            await stories.pin(by, pin_id)
        with pytest.raises(MessageNotFoundError):
            await stories.message(by, message_id)


async def test_an_id_of_another_kind_is_unknown() -> None:
    """A message is no PIN, and the other way round; nothing is put on the record."""
    house = await build_house()
    pin_id = (await house.issue()).pin_id
    with pytest.raises(MessageNotFoundError):
        await house.service.stories.message(LOOKING, pin_id)
    with pytest.raises(PinNotFoundError):
        await house.service.stories.pin(LOOKING, (await send(house))[0].message_id)
    house.clock.move(61)

    assert 0 == await house.service.recording_reads.run_due()


def line(run: RunLine | None) -> list[tuple[int, str, str]]:
    """Return the attempts of a run: number, channel and status."""
    assert run is not None
    return [(each.number, each.channel, each.status) for each in run.attempts]


async def test_the_story_of_a_message_has_its_whole_fallback_run() -> None:
    """The messages of the steps belong to it, and the line says what became of each attempt."""
    house = await build_house()
    await falls_back(house, Channel.SMS)
    (sent,) = await send(house, fallback=fallback())
    began = house.clock.now()
    house.clock.move(WAIT)
    await work(house)
    told = await house.service.stories.message(LOOKING, sent.message_id)
    newest = told.moment(told.story.last).run

    assert [(0, "sms", "expired"), (1, "sms", "accepted")] == line(newest)
    assert newest is not None
    primary, fired = newest.attempts
    assert (WAIT, None) == ((primary.deadline - began).seconds, fired.deadline)  # type: ignore[operator]  # the primary has one
    assert (TriggerReason.DEADLINE, house.clock.now()) == (fired.reason, fired.triggered_at)
    assert RECIPIENT == fired.recipient
    assert {sent.message_id, newest.run_id, fired.message_id} == {
        each.stream for each in told.story.events
    }


async def test_the_message_of_a_step_tells_of_the_same_run() -> None:
    """Its story is that of the run, and its own state is that of the step's message."""
    house = await build_house()
    await falls_back(house, Channel.SMS)
    (sent,) = await send(house, fallback=fallback())
    house.clock.move(WAIT)
    await work(house)
    stories = house.service.stories
    primary = await stories.message(LOOKING, sent.message_id)
    newest = primary.moment(primary.story.last).run
    assert newest is not None
    fired = await stories.message(LOOKING, newest.attempts[1].message_id or "")

    assert primary.story.events == fired.story.events
    assert newest == fired.moment(fired.story.last).run
    assert None is fired.moment(1).view


async def test_the_line_at_an_earlier_moment() -> None:
    """Before the deadline, the step is armed and the primary is on its way."""
    house = await build_house()
    await falls_back(house, Channel.SMS)
    (sent,) = await send(house, fallback=fallback(step(), waits=30))
    house.clock.move(30)
    await work(house)
    told = await house.service.stories.message(LOOKING, sent.message_id)
    kinds = [each.type for each in told.story.events]
    armed = kinds.index("MessageDispatched") + 1

    assert [(0, "sms", "accepted"), (1, "sms", "armed")] == line(told.moment(armed).run)


async def test_a_content_is_shown_as_it_went_out() -> None:
    """Also one that the messages of a call share."""
    house = await build_house()
    one, other = await send(house, message(), message(recipient="+447700900124"))
    stories = house.service.stories

    assert READY == (await stories.message(LOOKING, one.message_id)).content.content
    assert READY == (await stories.message(LOOKING, other.message_id)).content.content


async def test_nothing_of_a_code_is_shown() -> None:
    """A content with a code is not stored, so there is none."""
    house = await build_house()
    (sent,) = await send(house, message(CODE))
    shown = (await house.service.stories.message(LOOKING, sent.message_id)).content

    assert (None, None) == (shown.content, shown.text)


async def test_a_template_comes_with_the_content_that_fills_it_in() -> None:
    """So a reader can be shown what the phone showed."""
    house = await build_house()
    await keep_rcs(house, "Hello [name], your tea is ready.")
    greeting = RcsTemplateContent(
        message_type="template", template_code="greeting", params={"name": "Asha"}
    )
    (sent,) = await send(house, message(greeting, Channel.RCS, path="rcs[0]"))
    shown = (await house.service.stories.message(LOOKING, sent.message_id)).content

    assert shown.content is not None
    assert "Hello Asha, your tea is ready." in str(filled_rcs(shown.content, shown.template))


async def test_a_message_that_came_in_has_its_text() -> None:
    """It has no content and no run."""
    house = await build_house()
    await receive(house)
    (row,) = [
        each for each in (await house.store.read_log(0, 1000)) if each.type == "MessageReceived"
    ]
    told = await house.service.stories.message(LOOKING, row.stream)

    assert ("Is it ready?", None) == (told.content.text, told.content.content)
    assert None is told.moment(1).run

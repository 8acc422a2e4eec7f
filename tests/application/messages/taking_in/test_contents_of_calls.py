"""A content is stored once per call, for any number of recipients (C-94)."""

from __future__ import annotations

from typing import TypeVar

import pytest

from tests.application.house import House, build_house
from tests.application.post_office import (
    CODE,
    READY,
    WAIT,
    fallback,
    falls_back,
    message,
    receive,
    send,
    session,
    step,
    work,
)
from tests.fakes.providers import ScriptedProvider
from watchword.application.messages.planning.send_requests import LinkRequest, MessageRequest
from watchword.application.ports.channels import Accepted, Message, Rejected
from watchword.domain.channel import Channel
from watchword.domain.event import Event
from watchword.domain.fallback_run import FallbackArmed, FallbackRejected
from watchword.domain.message import Content, MessageSubmitted, SmsContent
from watchword.domain.shared_content import ContentSubmitted
from watchword.domain.short_link import ShortLinkCreated

E = TypeVar("E", bound=Event)

MENU, SHOP = "https://tea.example/menu", "https://tea.example/shop"
SEE = SmsContent(type="SI", text=f"See {MENU} and {SHOP}.")
SEE_CODE = SmsContent(type="OTP", text=f"Your code is CANARY4711X, see {MENU}.")


def to_many(content: Content = READY, count: int = 3) -> list[MessageRequest]:
    """Write one content to so many numbers."""
    return [message(content, recipient=f"+44770{n:07}") for n in range(count)]


def links(*urls: str) -> tuple[LinkRequest, ...]:
    """Ask for a link of its own for each message."""
    return tuple(
        LinkRequest(long_url=url, base="https://go.example", per_message=True, path="urls")
        for url in urls
    )


async def stored(house: House, kind: type[E]) -> list[E]:
    """Return the events of one kind in the log."""
    log = await house.store.read_log(0, 1000)
    return [each.event for each in log if isinstance(each.event, kind)]


async def reject(_: Message) -> Accepted | Rejected:
    """Refuse every message."""
    return Rejected("unknown_number", "Nobody has this number.")


async def test_a_content_for_many_stands_once_in_a_stream_of_its_own() -> None:
    """Their messages name it, and are in the same append and account."""
    house = await build_house()
    await send(house, *to_many())

    (shared,) = await stored(house, ContentSubmitted)
    assert (READY, house.by.account_id) == (shared.content, shared.account_id)
    log = await house.store.read_log(0, 1000)
    (stream,) = {each.stream for each in log if each.type == "ContentSubmitted"}
    assert [(None, stream)] * 3 == [
        (each.content, each.content_id) for each in await stored(house, MessageSubmitted)
    ]


async def test_a_content_for_one_stands_with_its_message() -> None:
    """A stream of its own would cost more than it saves."""
    house = await build_house()
    await falls_back(house)
    await send(house, message(), fallback=fallback())

    assert [] == await stored(house, ContentSubmitted)
    (submitted,), (armed,) = (
        await stored(house, MessageSubmitted),
        await stored(house, FallbackArmed),
    )
    assert READY == submitted.content == armed.steps[0].content


async def test_the_content_of_a_step_stands_once_for_all_runs() -> None:
    """The messages of the runs do not store it again."""
    house = await build_house()
    await falls_back(house)
    cheap = SmsContent(type="SI", text="Tea!")
    await send(house, *to_many(), fallback=fallback(step(cheap)))
    house.clock.move(WAIT)
    await work(house)

    assert [READY.text] * 3 + [cheap.text] * 3 == [each.text for each in house.provider.messages]
    assert {READY, cheap} == {each.content for each in await stored(house, ContentSubmitted)}
    assert [None] * 6 == [each.content for each in await stored(house, MessageSubmitted)]
    assert 2 == len({each.content_id for each in await stored(house, MessageSubmitted)})


async def test_nothing_is_kept_of_what_is_rejected_without_a_try() -> None:
    """No content and no link is stored; the entry alone is recorded."""
    house = await build_house()
    closed = session()
    await send(house, closed, closed)

    assert [] == await stored(house, ContentSubmitted)
    assert [(None, None)] * 2 == [
        (each.content, each.content_id) for each in await stored(house, MessageSubmitted)
    ]


async def test_a_content_that_one_of_many_is_tried_with_stands_with_it() -> None:
    """The others of its call were rejected without a try, and name nothing."""
    house = await build_house()
    await receive(house, sender="+447700900001")
    content = session().content
    numbers = ("+447700900001", "+447700900002", "+447700900003")
    await send(
        house,
        *(
            message(content, Channel.WHATSAPP, recipient=number, path="wa[0]", content_path="wa[0]")
            for number in numbers
        ),
    )

    assert [] == await stored(house, ContentSubmitted)
    assert [content, None, None] == [each.content for each in await stored(house, MessageSubmitted)]


async def test_what_a_provider_refuses_later_was_stored_once() -> None:
    """It is in the log by then, and no entry repeats it."""
    house = await build_house(ScriptedProvider(reject))
    sent = await send(house, *to_many(count=20))

    assert not any(each.accepted for each in sent)
    assert 1 == len(await stored(house, ContentSubmitted))


@pytest.mark.parametrize("content", [SEE, SEE_CODE], ids=["clear", "sealed"])
async def test_each_recipient_has_links_of_their_own_in_one_content(content: SmsContent) -> None:
    """A message and its step share theirs; the stored content has marks in their place."""
    house = await build_house()
    await falls_back(house)
    urls = (MENU, SHOP) if content is SEE else (MENU,)
    await send(house, *to_many(content), fallback=fallback(step(content)), links=links(*urls))
    house.clock.move(WAIT)
    await work(house)

    texts: dict[str, set[str]] = {}
    for each in house.provider.messages:
        texts.setdefault(each.destination, set()).add(each.text)
    assert 6 == len(house.provider.messages)
    assert [1, 1, 1] == [len(said) for said in texts.values()]
    assert 3 == len(set.union(*texts.values()))
    for said in set.union(*texts.values()):
        assert MENU not in said
        assert said.count("https://go.example/s/") == len(urls)
    assert 3 * len(urls) == len(await stored(house, ShortLinkCreated))
    (shared,) = await stored(house, ContentSubmitted)
    assert len(urls) == len(shared.own_links)


async def test_a_link_beside_a_code_is_in_no_event() -> None:
    """The codes of its runs are sealed, as its content is (D-76)."""
    house = await build_house()
    await falls_back(house)
    await send(house, *to_many(SEE_CODE), fallback=fallback(step(SEE_CODE)), links=links(MENU))

    log = repr([repr(each) for each in await house.store.read_log(0, 1000)])
    for each in house.provider.messages:
        _, _, code = each.text.rstrip(".").rpartition("/")
        assert code not in log
    assert [()] * 3 == [each.link_codes for each in await stored(house, MessageSubmitted)]


async def test_one_sealed_content_serves_every_run_of_a_call() -> None:
    """Each run drops its own key, and none opens another's codes; the last one closes the content."""
    house = await build_house()
    await falls_back(house)
    sent = await send(house, *to_many(CODE, count=2), fallback=fallback(step(CODE)))
    (shared,) = await stored(house, ContentSubmitted)
    assert shared.content is None
    assert shared.sealed is not None

    keys = [await house.store.seal_key(str(each.run_id)) for each in sent]
    house.clock.move(WAIT)
    await work(house)

    assert all(keys)
    assert [CODE.text] * 4 == [each.text for each in house.provider.messages]
    assert [None, None] == [await house.store.seal_key(str(each.run_id)) for each in sent]
    assert [] == await stored(house, FallbackRejected)


async def test_a_run_keeps_its_key_while_another_of_its_call_is_over() -> None:
    """A run that dropped its key cannot open the content; another run of the call opens it with its own."""

    async def reject_one(sent: Message) -> Accepted | Rejected:
        if sent.destination.endswith("0") and sent.ttl_seconds is not None:
            return Rejected("unknown_number", "Nobody has this number.")
        return Accepted(sent.reference)

    house = await build_house(ScriptedProvider(reject_one))
    await falls_back(house)
    first, second = await send(house, *to_many(CODE, count=2), fallback=fallback(step(CODE)))
    await work(house)

    assert await house.store.seal_key(str(first.run_id)) is None
    assert await house.store.seal_key(str(second.run_id)) is not None
    house.clock.move(WAIT)
    await work(house)
    assert [CODE.text] * 4 == [each.text for each in house.provider.messages]

"""A code stays hidden whatever else is said of it: by its template later, its fallback, its provider."""

from __future__ import annotations

import attrs
import pytest

from tests.application.house import House, build_house
from tests.application.post_office import (
    CODE,
    WAIT,
    fallback,
    falls_back,
    message,
    send,
    step,
    work,
)
from tests.fakes.providers import ScriptedProvider
from watchword.application.ports.channels import Message, Rejected
from watchword.domain.channel import Channel
from watchword.domain.message import RcsTemplateContent, SmsContent
from watchword.domain.message_template import MessageTemplate

CANARY = "CANARY4711X"
SI = SmsContent(type="SI", text=CODE.text)
RCS = RcsTemplateContent(message_type="template", template_code="code", params={"code": CANARY})
TEMPLATE = MessageTemplate(
    channel=Channel.RCS, name="code", approved=True, carries_code=True, text="It is [code]."
)


async def all_told(house: House) -> str:
    """Give all events, in words."""
    return repr([attrs.asdict(each.event) for each in await house.store.read_log(0, 1000)])


async def test_what_falls_back_from_a_code_is_a_code() -> None:
    """Declared `SI` beside an OTP, it is the same code again, in the run and in its message (D-34)."""
    house = await build_house()
    await falls_back(house)
    await send(house, message(CODE), fallback=fallback(step(SI)))
    house.clock.move(WAIT)
    await work(house)

    assert [CODE.text, SI.text] == [each.text for each in house.provider.messages]
    assert CANARY not in await all_told(house)


async def test_a_message_whose_fallback_is_a_code_is_one() -> None:
    """The other way round."""
    house = await build_house()
    await falls_back(house)
    await send(house, message(SI), fallback=fallback(step(CODE)))

    assert CANARY not in await all_told(house)


async def test_what_was_sealed_stays_hidden_when_its_template_changes() -> None:
    """A template that carries no code any more makes no old content clear (C-23)."""
    house = await build_house()
    await falls_back(house, Channel.RCS)
    house.templates.all.append(TEMPLATE)
    await send(house, fallback=fallback(step(RCS, Channel.RCS)))
    house.templates.all[:] = [attrs.evolve(TEMPLATE, carries_code=False)]
    house.clock.move(WAIT)
    await work(house)

    assert f"It is {CANARY}." == house.provider.messages[-1].text
    assert CANARY not in await all_told(house)


@pytest.mark.parametrize("text", ["It is 482-913.", "It is 48 29 13", "It is 4-8-2-9-1-3"])
async def test_a_code_in_groups_is_not_quoted_either(text: str) -> None:
    """Of a refusal's words nothing is told, where they may quote a code (D-52)."""

    async def quote(sent: Message) -> Rejected:
        return Rejected("bad_text", f"cannot send {sent.text!r}")

    house = await build_house(ScriptedProvider(quote))
    (sent,) = await send(house, message(SmsContent(type="OTP", text=text)))

    assert "bad_text" == sent.error_code
    assert text[6:] not in repr(sent) + await all_told(house)


@pytest.mark.parametrize("name", ["cannot_send_canary4711x", "CANARY4711X", "no such text", "4711"])
async def test_a_providers_name_for_a_refusal_is_none_where_it_quotes(name: str) -> None:
    """`provider_rejected` stands for a name that is no name, or has a word of the text in it."""

    async def quote(_: Message) -> Rejected:
        return Rejected(name, "No.")

    house = await build_house(ScriptedProvider(quote))
    text = SmsContent(type="OTP", text=f"{CANARY} or 4711")
    (sent,) = await send(house, message(text))

    assert "provider_rejected" == sent.error_code


async def test_a_long_refusal_is_told_in_part() -> None:
    """A provider may answer with a page; it is not kept for ever."""

    async def at_length(_: Message) -> Rejected:
        return Rejected("x" * 10_000, "y" * 10_000)

    house = await build_house(ScriptedProvider(at_length))
    (sent,) = await send(house)

    assert (100, 500) == (len(sent.error_code or ""), len(sent.error_message or ""))

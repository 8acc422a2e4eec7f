"""A code stays hidden, in a template, a fallback, or a provider's words."""

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
from tests.application.stored_templates import keep_rcs, keep_whatsapp
from tests.fakes.providers import ScriptedProvider
from watchword.application.ports.channels import Message, Rejected
from watchword.domain.channel import Channel
from watchword.domain.message import RcsTemplateContent, SmsContent, WhatsappTemplateContent
from watchword.domain.rcs_template import MessageType
from watchword.domain.whatsapp_template import (
    AuthenticationContent,
    CodeBody,
    CodeButtons,
    CopyCodeOtpButton,
)

CANARY = "CANARY4711X"
SI = SmsContent(type="SI", text=CODE.text)
RCS = RcsTemplateContent(message_type="template", template_code="code", params={"code": CANARY})
WHATSAPP = WhatsappTemplateContent(
    name="code",
    language="en",
    components=({"type": "body", "parameters": [{"type": "text", "text": CANARY}]},),
)
AUTHENTICATION = AuthenticationContent(
    components=(CodeBody(), CodeButtons(buttons=(CopyCodeOtpButton(),)))
)


async def all_told(house: House) -> str:
    """Return all events, in words."""
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


async def test_a_code_by_its_rcs_template_is_hidden() -> None:
    """Message type OTP of the template is enough, in a fallback too (C-23)."""
    house = await build_house()
    await falls_back(house, Channel.RCS)
    await keep_rcs(house, "Your code is [code].", name="code", message_type=MessageType.OTP)
    await send(house, message(RCS, Channel.RCS))
    await send(house, fallback=fallback(step(RCS, Channel.RCS)))
    house.clock.move(WAIT)
    await work(house)

    assert 2 == [each.text for each in house.provider.messages].count(f"Your code is {CANARY}.")
    assert CANARY not in await all_told(house)


async def test_a_code_by_its_whatsapp_template_is_hidden() -> None:
    """Category AUTHENTICATION: in the body and the button of the provider's, and nowhere else (C-26)."""
    house = await build_house()
    await falls_back(house, Channel.WHATSAPP)
    await keep_whatsapp(house, name="code", content=AUTHENTICATION)
    await send(house, message(WHATSAPP, Channel.WHATSAPP))
    await send(house, fallback=fallback(step(WHATSAPP, Channel.WHATSAPP)))
    house.clock.move(WAIT)
    await work(house)

    coded = [each for each in house.provider.messages if each.channel == Channel.WHATSAPP]
    assert 2 == len(coded)
    for each in coded:
        assert f"{CANARY} is your verification code.\n[Copy code] {CANARY}" == each.text
        assert isinstance(each.content, WhatsappTemplateContent)
        assert ["body", "button"] == [part["type"] for part in each.content.components]
    assert CANARY not in await all_told(house)


@pytest.mark.parametrize("text", ["It is 482-913.", "It is 48 29 13", "It is 4-8-2-9-1-3"])
async def test_a_code_in_groups_is_not_quoted_either(text: str) -> None:
    """A refusal's words are not stored if they may quote a code (D-52)."""

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

    assert sent.error_message is not None
    assert ("provider_rejected", f"{'x' * 100}: ") == (sent.error_code, sent.error_message[:102])
    assert 500 == len(sent.error_message)

"""DLT ids from registered texts: which SMS get them, and which are refused (SPEC 5, C-30, C-60)."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from msgspec.structs import replace

from tests.application.house import House, build_house, node_on
from tests.application.post_office import fallback, falls_back, message, send, step
from watchword.application.accounts.views import DltTemplateView
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.message import SmsContent, WhatsappTemplateContent

INDIAN = "+919812345610"
TEXT = "Your tea {#var#} is ready. - TEAHSE"
SAID = "Your tea Assam is ready. - TEAHSE"


async def matching_house() -> House:
    """Return a house whose key has auto-match."""
    house = await build_house()
    return attrs.evolve(house, by=replace(house.by, template_auto_match=True))


async def register(house: House, template_id: str = "t-1", text: str = TEXT) -> DltTemplateView:
    """Register a text."""
    return await house.service.dlt_templates.create(
        house.by, template_id=template_id, entity_id=f"e-of-{template_id}", text=text
    )


def sms(text: str = SAID, **ids: Any) -> Any:
    """Write an SMS to India."""
    return message(SmsContent(type="SI", text=text, **ids), recipient=INDIAN)


async def ids_sent(
    house: House, *messages: Any, **more: Any
) -> list[tuple[str | None, str | None]]:
    """Send, and return the ids that the provider was handed."""
    before = len(house.provider.messages)
    await send(house, *messages, **more)
    sent = [each for each in house.provider.messages[before:] if each.channel == Channel.SMS]
    return [(each.template_id, each.entity_id) for each in sent]


async def refused(house: House, *messages: Any, **more: Any) -> list[str]:
    """Return the fields that a send is refused for."""
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, *messages, **more)
    assert [] == house.provider.messages
    return [each.field for each in refusal.value.problems]


async def test_a_text_that_matches_gets_both_ids() -> None:
    """They go to the provider, and stand in the record of the message."""
    house = await matching_house()
    await register(house)
    await register(house, "t-2", "Your order {#var#} is ready. - TEAHSE")

    assert [("t-1", "e-of-t-1")] == await ids_sent(house, sms())
    (submitted,) = [
        each.event for each in await house.store.read_log(0, 99) if each.type == "MessageSubmitted"
    ]
    assert "t-1" == attrs.asdict(submitted)["content"]["template_id"]


async def test_without_a_match_an_indian_number_is_refused() -> None:
    """The refusal has the path of each missing id; other numbers are sent without ids."""
    house = await matching_house()
    await register(house)
    abroad = message(SmsContent(type="SI", text="Tea's up!"))

    assert ["sms[0].template_id", "sms[0].entity_id"] == await refused(house, sms("Tea's up!"))
    assert [(None, None)] == await ids_sent(house, abroad)


async def test_two_matches_count_as_none() -> None:
    """The choice would be ambiguous (C-60)."""
    house = await matching_house()
    await register(house)
    await register(house, "t-2", "Your tea {#var#}. - TEAHSE")
    await register(house, "t-3", "Your {#var#} is ready. - TEAHSE")

    assert 2 == len(await refused(house, sms()))


async def test_what_is_given_is_sent_as_it_is() -> None:
    """One id narrows the templates down to those that agree; two ask for no template at all."""
    house = await matching_house()
    await register(house)
    await register(house, "t-2", "Your tea {#var#}. - TEAHSE")

    assert [("t-1", "e-of-t-1")] == await ids_sent(house, sms(template_id="t-1"))
    assert [("t-2", "e-of-t-2")] == await ids_sent(house, sms(entity_id="e-of-t-2"))
    assert [("x", "y")] == await ids_sent(house, sms(template_id="x", entity_id="y"))


async def test_a_given_id_that_no_match_has_leaves_the_other_missing() -> None:
    """Ids of two registrations are never mixed."""
    house = await matching_house()
    await register(house)

    assert ["sms[0].entity_id"] == await refused(house, sms(template_id="x"))


async def test_the_sms_of_a_fallback_is_filled_at_the_send() -> None:
    """The ids are required at the send, for the recipients of the send (C-52)."""
    house = await matching_house()
    await falls_back(house)
    await register(house)
    lost = step(SmsContent(type="SI", text="Tea's up!"))

    wrong = await refused(house, sms(), fallback=fallback(lost))
    assert ["fallback.sms.template_id", "fallback.sms.entity_id"] == wrong

    await ids_sent(house, sms(), fallback=fallback(step(SmsContent(type="SI", text=SAID))))
    (armed,) = [
        each.event for each in await house.store.read_log(0, 99) if each.type == "FallbackArmed"
    ]
    assert "e-of-t-1" == attrs.asdict(armed)["steps"][0]["content"]["entity_id"]


async def test_a_prefix_makes_a_number_indian() -> None:
    """Ten digits alone are no country's (C-28)."""
    house = await matching_house()
    lost = message(SmsContent(type="SI", text="Tea's up!"), recipient="9812345610")

    assert 2 == len(await refused(house, lost, prefix="+91"))
    assert [(None, None)] == await ids_sent(house, lost)


async def test_other_channels_need_no_ids() -> None:
    """DLT is about SMS."""
    house = await matching_house()
    greeting = WhatsappTemplateContent(name="greeting", language="en")
    wa = message(greeting, Channel.WHATSAPP, recipient=INDIAN, path="wa[0]")

    assert ["sms[0].entity_id"] == await refused(house, wa, sms("Tea's up!", template_id="t"))


async def test_every_node_knows_at_once_what_is_registered() -> None:
    """On whichever it was registered or removed."""
    house = await matching_house()
    other = node_on(house)
    assert 2 == len(await refused(house, sms()))
    template = await register(other)
    assert [("t-1", "e-of-t-1")] == await ids_sent(house, sms())
    await other.service.dlt_templates.remove(other.by, template.id)
    house.provider.messages.clear()

    assert 2 == len(await refused(house, sms()))


async def test_a_neighbours_templates_match_nothing() -> None:
    """They are registered per account (C-7)."""
    house = await matching_house()
    account = await house.service.accounts.create(house.by, "neighbour")
    await register(attrs.evolve(house, by=replace(house.by, account_id=account.id)))

    assert 2 == len(await refused(house, sms()))


async def test_without_auto_match_nothing_is_looked_up() -> None:
    """The reader of the body has already named the missing ids."""
    house = await matching_house()
    await register(house)
    manual = attrs.evolve(house, by=replace(house.by, template_auto_match=False))

    assert [(None, None)] == await ids_sent(manual, sms())


async def test_at_most_twenty_are_named() -> None:
    """In a send of any size (D-19)."""
    house = await matching_house()

    assert 20 == len(await refused(house, *(sms(f"Tea {n}") for n in range(100))))

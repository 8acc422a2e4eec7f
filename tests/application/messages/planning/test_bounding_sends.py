"""The size of a send: contents count for every recipient (D-54)."""

from __future__ import annotations

import pytest

from tests.application.house import build_house
from tests.application.post_office import fallback, falls_back, message, send, step
from watchword.application.messages.planning.bounding_sends import MAX_CALL, MAX_CONTENT
from watchword.domain.channel import Channel
from watchword.domain.errors import ValidationFailedError
from watchword.domain.message import (
    Content,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)

LARGE = "x" * MAX_CONTENT


@pytest.mark.parametrize(
    "content",
    [
        SmsContent(type="SI", text=LARGE + "x"),
        WhatsappTemplateContent(name="demo", language="en", components=({"text": LARGE},)),
        WhatsappSessionContent(type="interactive", body={"body": LARGE}),
        RcsTemplateContent(message_type="template", template_code="demo", params={"a": LARGE}),
        ProviderContent(payload={"text": LARGE}),
    ],
    ids=lambda content: content.kind,
)
@pytest.mark.parametrize("placed", ["primary", "fallback"])
async def test_a_content_that_is_too_large_is_named(content: Content, placed: str) -> None:
    """400 with its path, and nothing of it is stored, whichever kind it is."""
    house = await build_house()
    await falls_back(house, Channel.SMS)
    path = "sms[0]" if placed == "primary" else "fallback.sms"
    primary = message(content) if placed == "primary" else message()
    fallen = fallback(step(content)) if placed == "fallback" else None
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, primary, fallback=fallen)

    assert [path] == [each.field for each in refusal.value.problems]


async def test_contents_count_for_every_recipient() -> None:
    """A body of a megabyte must not become a gigabyte of messages, by its fallback either."""
    house = await build_house()
    await falls_back(house)
    text = SmsContent(type="SI", text="x" * MAX_CONTENT)
    most = MAX_CALL // MAX_CONTENT
    numbers = [f"+44770{number:07}" for number in range(most)]
    await send(house, *(message(text, recipient=each) for each in numbers))
    with pytest.raises(ValidationFailedError) as refusal:
        await send(house, *(message(text, recipient=each) for each in numbers), fallback=fallback())

    assert ["body"] == [each.field for each in refusal.value.problems]

"""Previews of messages, from what the store keeps of them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from watchword.domain import rcs_template, whatsapp_template
from watchword.domain.channel import Channel
from watchword.domain.message import (
    Content,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)
from watchword.domain.rcs_template import CreateRcsTemplate, RcsTemplate, rcs_template_decider
from watchword.domain.whatsapp_template import (
    CreateWhatsappTemplate,
    WhatsappTemplate,
    whatsapp_template_decider,
)
from watchword.entrypoints.console.previews.messages import inbound_preview, message_preview
from watchword.entrypoints.console.previews.shown import Run, Style
from watchword.entrypoints.message_templates import rcs_reading, whatsapp_reading

AT = datetime(2026, 11, 23, tzinfo=UTC)


def rcs() -> RcsTemplate:
    """Return an RCS template with a placeholder."""
    text = '{"name": "teas", "type": "text_message", "textMessageContent": "Hello and welcome, [name]."}'
    definition = rcs_reading.read_template(text).definition
    assert definition is not None
    command = CreateRcsTemplate(
        at=AT,
        account_id="acc_1",
        sender_profile="TeaHouse",
        message_type="Promotional",
        update_by="till",
        definition=definition,
    )
    return rcs_template_decider.fold(rcs_template.create("rcs_1", command).events)


def whatsapp() -> WhatsappTemplate:
    """Return a WhatsApp template with a variable."""
    body: dict[str, Any] = {
        "name": "sale",
        "language": "en",
        "category": "UTILITY",
        "components": [
            {"type": "BODY", "text": "Hello {{1}}!", "example": {"body_text": [["Ada"]]}}
        ],
    }
    command = CreateWhatsappTemplate(
        at=AT, account_id="acc_1", definition=whatsapp_reading.template_definition(body)
    )
    return whatsapp_template_decider.fold(whatsapp_template.create("wat_1", command).events)


def test_a_text_is_shown_as_it_was_sent() -> None:
    """An SMS shows its text, who sent it, and its segments."""
    preview = message_preview(Channel.SMS, SmsContent(type="SI", text="{{1}}"), sender="Tea")
    assert (preview.sender, preview.bubbles[0].text) == ("Tea", (Run("{{1}}"),))
    assert preview.length is not None


def test_templates_are_filled_in() -> None:
    """Messages under templates show the templates with the values of the send."""
    on_rcs = RcsTemplateContent(
        message_type="template", template_code="teas", params={"name": "[Ada]"}
    )
    assert message_preview(Channel.RCS, on_rcs, rcs()).bubbles[0].text[0] == Run(
        "Hello and welcome, "
    )
    value = {"type": "body", "parameters": [{"type": "text", "text": "Eve"}]}
    on_whatsapp = WhatsappTemplateContent(name="sale", language="en", components=(value,))
    preview = message_preview(Channel.WHATSAPP, on_whatsapp, whatsapp())
    assert preview.bubbles[0].text == (Run("Hello Eve!"),)


def test_a_session_message_needs_no_template() -> None:
    """A session message shows what its body says."""
    content = WhatsappSessionContent(type="text", body={"body": "Hi"})
    assert message_preview(Channel.WHATSAPP, content).bubbles[0].text == (Run("Hi"),)


@pytest.mark.parametrize(
    ("channel", "content", "note"),
    [
        (
            Channel.RCS,
            RcsTemplateContent(message_type="template", template_code="gone"),
            "The store has no template gone.",
        ),
        (
            Channel.WHATSAPP,
            WhatsappTemplateContent(name="gone", language="en"),
            "The store has no template gone in en.",
        ),
        ("pigeon", ProviderContent(payload={"a": 1}), "The provider alone reads this content."),
        (
            Channel.SMS,
            None,
            "The store has no text of it: it had a code, or its time was over.",
        ),
    ],
)
def test_what_cannot_be_shown_is_said(channel: str, content: Content | None, note: str) -> None:
    """Where the store cannot tell what a phone showed, a note says why, and no bubble is invented."""
    preview = message_preview(channel, content)
    assert (preview.note, preview.bubbles) == (note, ())


def test_an_inbound_message_is_what_the_person_wrote() -> None:
    """WhatsApp's marks style a person's text on WhatsApp alone; a message without a text says so."""
    assert inbound_preview(Channel.WHATSAPP, "*Hi*").bubbles[0].text == (Run("Hi", Style.STRONG),)
    assert inbound_preview(Channel.SMS, "*Hi*").bubbles[0].text == (Run("*Hi*"),)
    assert inbound_preview(Channel.SMS, None).note == "The message had no text."

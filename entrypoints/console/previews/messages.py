"""The preview of a message that was sent or received, from what the store keeps of it."""

from __future__ import annotations

from ....domain.channel import Channel, ChannelName
from ....domain.message import (
    Content,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)
from ....domain.rcs_template import TemplateDefinition as RcsDefinition
from ....domain.template_filling import MessageTemplate, filled_rcs
from ....domain.whatsapp_template import TemplateDefinition as WhatsappDefinition
from ....domain.whatsapp_template import WhatsappTemplate
from ...message_templates import rcs_writing, whatsapp_writing
from .rcs import rcs_preview
from .shown import Bubble, Preview, plain
from .sms import sms_preview
from .whatsapp import session_preview, template_preview
from .whatsapp_styles import styled


def message_preview(
    channel: ChannelName,
    content: Content | None,
    template: MessageTemplate | None = None,
    *,
    sender: str = "",
) -> Preview:
    """
    Return the preview of a message's content, with the template that it names, if the store has it.

    Without a content (the text had a code, or its retention ended), and where the store cannot tell what the
    phone showed, the preview has a note in place of bubbles.
    """
    match content, template:
        case SmsContent(text=text, unicode=unicode), _:
            return sms_preview(text, unicode=unicode, sender=sender)
        case WhatsappTemplateContent(components=components), WhatsappTemplate():
            definition = WhatsappDefinition(
                name=template.name, language=template.language, content=template.content
            )
            written = whatsapp_writing.template_data(definition)
            return template_preview(written, components, sender=sender)
        case WhatsappSessionContent(), _:
            return session_preview(content, sender=sender)
        case RcsTemplateContent(template_code=code), _:
            filled = filled_rcs(content, template)
            if filled is not None:
                data = rcs_writing.template_data(RcsDefinition(name=code, content=filled))
                return rcs_preview(data, sender=sender)
            return _noted(channel, sender, f"The store has no template {code}.")
        case WhatsappTemplateContent(name=name, language=language), _:
            return _noted(channel, sender, f"The store has no template {name} in {language}.")
        case ProviderContent(), _:
            return _noted(channel, sender, "The provider alone reads this content.")
        case _:
            return _noted(
                channel, sender, "The store has no text of it: it had a code, or its time was over."
            )


def inbound_preview(channel: ChannelName, text: str | None, *, sender: str = "") -> Preview:
    """Return the preview of a message that a person wrote."""
    if not text:
        return _noted(channel, sender, "The message had no text.")
    runs = styled(plain(text)) if channel == Channel.WHATSAPP else plain(text)
    return Preview(channel=str(channel), sender=sender, bubbles=(Bubble(text=runs),))


def _noted(channel: ChannelName, sender: str, note: str) -> Preview:
    return Preview(channel=str(channel), sender=sender, note=note)

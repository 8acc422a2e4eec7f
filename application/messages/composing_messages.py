"""From a content to the message that a provider is handed, and what of it must stay hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ...domain.channel import ChannelName
from ...domain.message import (
    Content,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)
from ...domain.message_template import MessageTemplate
from ..ports.channels import Message
from .looking_up_templates import to_be_hidden

# Whatever could be a code: the shortest that anybody sends has four characters.
_WORD = re.compile(r"\w{4,}")


def composed(
    *,
    reference: str,
    channel: ChannelName,
    channel_account_id: str,
    sender: str,
    recipient: str,
    content: Content,
    template: MessageTemplate | None,
    ttl_seconds: int | None,
) -> Message:
    """Give the port's message; `reference` is the message's id, the same for every repetition."""
    sms = content if isinstance(content, SmsContent) else None
    return Message(
        reference=reference,
        channel=channel,
        channel_account_id=channel_account_id,
        sender=sender,
        destination=recipient,
        text=wording(content, template),
        content=content,
        entity_id=sms.entity_id if sms else None,
        unicode=sms.unicode if sms else None,
        ttl_seconds=ttl_seconds,
    )


def wording(content: Content, template: MessageTemplate | None) -> str:
    """Give a content in words, as far as we know them."""
    match content:
        case SmsContent(text=text):
            return text
        case RcsTemplateContent(params=params):
            return template.filled(params) if template else ""
        case WhatsappTemplateContent():
            return template.filled(_body_values(content)) if template else ""
        case WhatsappSessionContent(body=body):
            said = body.get("body", body.get("caption", ""))
            return said if isinstance(said, str) else ""
        case ProviderContent():
            return ""


def hidden_words(content: Content, template: MessageTemplate | None) -> frozenset[str]:
    """
    Name what no outcome may repeat of a content that carries a code: every word of it.

    Which one of them is the code, only the sender knows (D-34).
    """
    if not to_be_hidden(content, template):
        return frozenset()
    texts = [wording(content, template)]
    match content:
        case RcsTemplateContent(params=params):
            texts += params.values()
        case WhatsappTemplateContent(components=components):
            texts += _texts(components)
        case _:
            pass
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _body_values(content: WhatsappTemplateContent) -> Mapping[str, str]:
    values: list[str] = []
    for component in content.components:
        if str(component.get("type", "")).lower() == "body":
            parameters = component.get("parameters")
            for each in parameters if isinstance(parameters, list | tuple) else ():
                said = each.get("text") if isinstance(each, Mapping) else None
                values.append(said if isinstance(said, str) else "")
    return {str(position): value for position, value in enumerate(values, start=1)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)

"""Compose the message for a provider, and hide its content in refusals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from attrs import field, frozen

from ....domain.channel import ChannelName
from ....domain.message import (
    Content,
    ProviderContent,
    SmsContent,
    WhatsappSessionContent,
    session_wording,
)
from ....domain.provider_codes import code_without
from ....domain.template_filling import (
    MessageTemplate,
    completed,
    filled_rcs,
    rcs_type,
    worded,
)
from ...ports.channels import Message, Rejected
from ...ports.event_store import Due

# The parts of a content that could be a code, also a word of it.
_PARTS = re.compile(r"[A-Za-z0-9]{3,}")


@frozen(kw_only=True)
class OutgoingMessage:
    """
    A durably recorded message on its way to its provider.

    `message_id` is its reference, the same for every repetition. `due_row` recovers the dispatch if its
    process dies.
    """

    message_id: str
    channel: ChannelName
    channel_account_id: str
    sender: str
    recipient: str = field(repr=False)
    content: Content = field(repr=False)
    template: MessageTemplate | None
    carries_code: bool
    ttl_seconds: int | None
    due_row: Due

    def composed(self) -> Message:
        """Return the message in the form of the port."""
        content = completed(self.content, self.template)
        sms = content if isinstance(content, SmsContent) else None
        return Message(
            reference=self.message_id,
            channel=self.channel,
            channel_account_id=self.channel_account_id,
            sender=self.sender,
            destination=self.recipient,
            text=wording(content, self.template),
            content=content,
            rcs=filled_rcs(self.content, self.template),
            rcs_type=rcs_type(self.template),
            template_id=sms.template_id if sms else None,
            entity_id=sms.entity_id if sms else None,
            unicode=sms.unicode if sms else None,
            ttl_seconds=self.ttl_seconds,
        )

    def veiled(self, refusal: Rejected) -> Rejected:
        """
        Return a provider's refusal in the form that callers may see.

        The text of a refusal may quote the content in any form: it is left out if the content
        carries a code. The refusal's code is kept if it is a plain name without a part of the
        content (D-52).
        """
        if not self.carries_code:
            return refusal
        texts = [wording(self.content, self.template), *_texts(attrs.asdict(self.content))]
        code = code_without(refusal.code, texts, _PARTS)
        return Rejected(code, "The provider's words are left out, because they may hold the code.")


def wording(content: Content, template: MessageTemplate | None) -> str:
    """Return the text of a content, as far as it is known."""
    match content:
        case SmsContent(text=text):
            return text
        case WhatsappSessionContent():
            return session_wording(content)
        case ProviderContent():
            return ""
        case _:
            return worded(content, template)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)

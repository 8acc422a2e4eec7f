"""Messages as providers receive them, and sent ones that a provider is asked to revoke."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from attrs import field, frozen

from ....domain.channel import ChannelName
from ....domain.message import Content
from ....domain.rcs_template import MessageType as RcsType
from ....domain.rcs_template import TemplateContent as RcsContent
from ..redacted import Redacted


@frozen(kw_only=True)
class ProviderTemplate:
    """A PIN's message whose text the provider stores (WhatsApp): its reference, values and button."""

    name: str
    language: str | None = None
    code: str = field(repr=False)
    params: Mapping[str, str] = field(factory=dict, repr=False)
    copy_code_button_index: int | None = None


class Message(Redacted, frozen=True, kw_only=True):
    """
    One message for one recipient.

    `reference` is our own id of the message; a repeated send has the same. `destination` is exactly
    what the caller gave. `content` is the content of a send by the messaging endpoints; it is None for
    a PIN's code. `rcs` is the template of an RCS message, filled in, and `rcs_type` its category. `text`
    is either of these as text, as far as it is known. `text`, `subject`, `template`, `content` and `rcs`
    may contain a code: a provider passes them on, and neither stores nor logs them. After `ttl_seconds`
    the message need not be delivered.
    """

    reference: str
    channel: ChannelName
    channel_account_id: str
    sender: str | None = None
    destination: str
    text: str
    subject: str | None = None
    template: ProviderTemplate | None = None
    content: Content | None = None
    rcs: RcsContent | None = None
    rcs_type: RcsType | None = None
    template_id: str | None = None
    entity_id: str | None = None
    unicode: bool | None = None
    ttl_seconds: int | None = None


class SentMessage(Redacted, frozen=True, kw_only=True):
    """
    A message that a provider took, or may have taken.

    `provider_message_id` is None after an unknown outcome whose id nobody knows; then `reference`, our
    own id of the message, may still find it. `outcome_unknown` says that the provider may never have had
    it, and `asked_before` that it may have revoked it already, for a process that died since. From
    `expires_at` on the provider need not deliver it. One that does not find such a message does not know
    that it arrived.
    """

    reference: str
    destination: str
    sender: str | None = None
    provider_message_id: str | None = None
    outcome_unknown: bool = False
    asked_before: bool = False
    expires_at: datetime | None = None

"""
What a message says, one type per kind of content (SPEC 2.6, C-26, C-52).

`kind` tells them apart wherever they are stored or shown; its words are as much a promise as the
names of events.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from attrs import frozen

from ..event import personal


class SmsType(StrEnum):
    """The types of an SMS; case-sensitive (SPEC section 7)."""

    SI = "SI"
    OTP = "OTP"
    SE = "SE"


@frozen(kw_only=True)
class SmsContent:
    """
    An SMS.

    `type` is as the caller gave it: in a fallback it is checked when the fallback fires (C-21).
    """

    kind: Literal["sms"] = "sms"
    type: str
    text: str = personal()
    template_id: str | None = None
    entity_id: str | None = None
    unicode: bool = False

    @property
    def type_is_valid(self) -> bool:
        """Whether the type is one that the send takes."""
        return self.type in tuple(SmsType)


@frozen(kw_only=True)
class WhatsappTemplateContent:
    """A WhatsApp template by name; `components` are Meta's open JSON, passed on as they are."""

    kind: Literal["whatsapp_template"] = "whatsapp_template"
    name: str
    language: str
    components: tuple[Mapping[str, Any], ...] = personal(default=())


@frozen(kw_only=True)
class WhatsappSessionContent:
    """A WhatsApp session message; `body` is Meta's object for this `type` (C-26)."""

    kind: Literal["whatsapp_session"] = "whatsapp_session"
    type: str
    body: Mapping[str, Any] = personal()


@frozen(kw_only=True)
class RcsTemplateContent:
    """An RCS template by its code, and the values of its placeholders."""

    kind: Literal["rcs_template"] = "rcs_template"
    message_type: str
    template_code: str
    params: Mapping[str, str] = personal(factory=dict)


@frozen(kw_only=True)
class ProviderContent:
    """What goes to a third-party channel's adapter untouched (C-52)."""

    kind: Literal["provider"] = "provider"
    payload: Mapping[str, Any] = personal()


Content = (
    SmsContent
    | WhatsappTemplateContent
    | WhatsappSessionContent
    | RcsTemplateContent
    | ProviderContent
)

# The types of an RCS message that carry none; whatever else a caller writes may be `OTP`, misspelt.
_WITHOUT_CODES = ("template", "promotional", "transactional")


def carries_code(content: Content, *, template_carries_code: bool = False) -> bool:
    """
    Whether a content is never to be stored in clear (C-23).

    `template_carries_code` is what only the template knows: category AUTHENTICATION on WhatsApp,
    message type OTP on RCS. It fails closed (D-34): a type that is not known to carry no code counts
    as one that does, and so does whatever goes to a third party's adapter.
    """
    match content:
        case SmsContent(type=SmsType.SI | SmsType.SE) | WhatsappSessionContent():
            return False
        case RcsTemplateContent(message_type=message_type):
            return template_carries_code or message_type.casefold() not in _WITHOUT_CODES
        case WhatsappTemplateContent():
            return template_carries_code
        case SmsContent() | ProviderContent():
            return True

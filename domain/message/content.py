"""
The content of a message, one type per kind (SPEC 2.6, C-26, C-52).

`kind` names the type of a content in the store and in answers. Its values are promises, like the names
of events.
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

    `type` is as the caller gave it: a fallback checks it when it fires (C-21).
    """

    kind: Literal["sms"] = "sms"
    type: str
    text: str = personal()
    template_id: str | None = None
    entity_id: str | None = None
    unicode: bool = False

    @property
    def type_is_valid(self) -> bool:
        """Whether the send accepts the type."""
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
    """The content for a third-party adapter, passed on unchanged (C-52)."""

    kind: Literal["provider"] = "provider"
    payload: Mapping[str, Any] = personal()


Content = (
    SmsContent
    | WhatsappTemplateContent
    | WhatsappSessionContent
    | RcsTemplateContent
    | ProviderContent
)

# RCS message types without a code. Any other text from a caller may be a misspelt `OTP`.
_WITHOUT_CODES = ("template", "promotional", "transactional")


def carries_code(content: Content, *, template_carries_code: bool = False) -> bool:
    """
    Return whether a content must never be stored in clear (C-23).

    `template_carries_code` is a fact that only the template has: category AUTHENTICATION on WhatsApp,
    message type OTP on RCS. The check fails closed (D-34): unknown types count as carrying a code, and
    so does every content for a third-party adapter.
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

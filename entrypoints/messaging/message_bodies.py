"""The message objects in the body of a send, and their contents (SPEC 2.6, C-26)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.limits import Characters, FromTo, OneLine, some
from ...domain.message import RcsTemplateContent, SmsContent, SmsType, WhatsappTemplateContent
from ..wire.lenient_values import Flag, JsonTexts, WholeNumber
from .field_limits import (
    a_dlt_id_or_none,
    a_language,
    a_sender,
    a_template_name,
    an_rcs_message_type,
)

MAX_TEXT = 4_096
MAX_PARAMETER = 1_000
# 30 days in seconds, the longest time that any channel keeps a message.
MAX_TTL = 2_592_000

_TYPES_RULE = "must be SI, OTP or SE (case-sensitive)"


@frozen
class Always:
    """Checks that a text is the only allowed one."""

    word: str

    def __call__(self, _instance: object, _attribute: object, value: str) -> None:
        """Raise `ValueError` for any other value."""
        if value != self.word:
            raise ValueError(f"must be {self.word}")


def an_sms_type(_instance: object, _attribute: object, value: object) -> None:
    """Check that a value is one of the types of an SMS."""
    if value not in tuple(SmsType):
        # First the text of C-18 alone, which clients compare; then with the allowed types (D-145).
        raise ValidationFailedError(
            [FieldProblem("", "invalid type"), FieldProblem("", f"invalid type: {_TYPES_RULE}")]
        )


def short_values(_instance: object, _attribute: object, params: Any) -> None:
    """Check that no value of a placeholder is too long to send."""
    for name, value in (params or {}).items():
        if len(value) > MAX_PARAMETER:
            raise ValueError(f"must have at most {MAX_PARAMETER} characters at {name[:100]!r}")


@frozen(kw_only=True)
class SmsBody:
    """An SMS in a fallback; its type is checked later, so any text is allowed (C-21)."""

    sender: str = field(validator=a_sender)
    type: str = field(validator=OneLine(0, 64))
    message_body: str = field(repr=False, validator=Characters(1, MAX_TEXT))
    template_id: str | None = field(default=None, validator=a_dlt_id_or_none)
    entity_id: str | None = field(default=None, validator=a_dlt_id_or_none)
    unicode: Flag | None = None

    @property
    def content(self) -> SmsContent:
        """The content of the SMS."""
        return SmsContent(
            type=self.type,
            text=self.message_body,
            template_id=self.template_id or None,
            entity_id=self.entity_id or None,
            unicode=bool(self.unicode),
        )


@frozen(kw_only=True)
class SmsEntry(SmsBody):
    """One entry of `sms`."""

    recipient: str = field(repr=False)
    # `Any`, so that a number too is refused with the text of SPEC section 7.
    type: Any = field(validator=an_sms_type)
    ttl: WholeNumber | None = field(default=None, validator=FromTo(1, MAX_TTL))


class WaType(StrEnum):
    """The type of a WhatsApp entry: a template, or a message in a session (C-26)."""

    TEMPLATE = "template"
    TEXT = "text"
    IMAGE = "image"
    VIDEO = "video"
    DOCUMENT = "document"
    AUDIO = "audio"
    INTERACTIVE = "interactive"


@frozen(kw_only=True)
class WaEntry:
    """One entry of `wa`, without the object that its type names."""

    messaging_product: str = field(validator=Always("whatsapp"))
    recipient_type: str = field(validator=Always("individual"))
    recipient: tuple[str, ...] = field(repr=False, validator=some)
    sender: str = field(validator=a_sender)
    type: WaType
    ttl: WholeNumber | None = field(default=None, validator=FromTo(1, MAX_TTL))


@frozen(kw_only=True)
class WaLanguage:
    """The language of a WhatsApp template."""

    code: str = field(validator=a_language)


@frozen(kw_only=True)
class WaTemplate:
    """A WhatsApp template by name, in the shape of Meta's API."""

    name: str = field(validator=a_template_name)
    language: WaLanguage
    components: tuple[Mapping[str, Any], ...] | None = field(default=None, repr=False)

    @property
    def content(self) -> WhatsappTemplateContent:
        """The content of the message."""
        return WhatsappTemplateContent(
            name=self.name, language=self.language.code, components=self.components or ()
        )


@frozen(kw_only=True)
class RcsTemplateMessage:
    """An RCS template by its code, with the values of its placeholders."""

    template_code: str = field(validator=OneLine(1, 64))
    custom_params: JsonTexts | None = field(default=None, repr=False, validator=short_values)


@frozen(kw_only=True)
class RcsContentMessage:
    """The content member of an RCS entry."""

    template_message: RcsTemplateMessage


@frozen(kw_only=True)
class RcsEntry:
    """One entry of `rcs`."""

    sender: str = field(validator=a_sender)
    message_type: str = field(validator=an_rcs_message_type)
    recipient: str = field(repr=False)
    content_message: RcsContentMessage
    ttl: WholeNumber | None = field(default=None, validator=FromTo(1, MAX_TTL))

    @property
    def content(self) -> RcsTemplateContent:
        """The content of the message."""
        message = self.content_message.template_message
        return RcsTemplateContent(
            message_type=self.message_type,
            template_code=message.template_code,
            params=message.custom_params or {},
        )

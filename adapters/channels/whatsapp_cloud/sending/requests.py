"""The bodies of sends, in Meta's shape (C-26)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .....application.ports.channels import Fault, Message
from .....domain.destination import digits_of
from .....domain.message import WhatsappSessionContent, WhatsappTemplateContent
from ...http_client.failures import NotSentError
from ..languages import language
from .media import check_media
from .pins import pin_template

_NO_TEXT = (
    "The message has no text. A PIN on WhatsApp goes out under a template: set providerTemplateRef and"
    " languageCode in the PIN template's entry."
)


def request_body(message: Message) -> Mapping[str, Any]:
    """Return the body of a send; raises `NotSentError` for a message that Meta could not take."""
    kind, said = _said(message)
    return {
        "messaging_product": "whatsapp",
        "recipient_type": "individual",
        # Without a plus, Meta puts the country code of the business before the digits (D-277).
        "to": f"+{digits_of(message.destination).removeprefix('00')}",
        "type": kind,
        kind: said,
        "biz_opaque_callback_data": message.reference,
    }


def _said(message: Message) -> tuple[str, Mapping[str, Any]]:
    """Return the type of a message, and Meta's object for it."""
    if message.template is not None:
        return "template", pin_template(message.template)
    match message.content:
        case WhatsappTemplateContent(name=name, language=code, components=components):
            check_media(components)
            said = {"name": name, "language": language(code)}
            return "template", {**said, "components": components} if components else said
        case WhatsappSessionContent(type=kind, body=body):
            check_media({kind: body})
            return kind, body
        case _:
            if not message.text:
                raise NotSentError("no_text", _NO_TEXT, Fault.CONTENT)
            return "text", {"body": message.text}

"""The preview of a PIN template's channel entry, with an example of a code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....domain.channel import Channel
from ....domain.pin_template import DEFAULT_PLACEHOLDER, default_texts
from ....domain.pin_template.pin_type import PinType
from ....domain.placeholders import fill, positions
from ....domain.sms.autofill import bound_to_origin, for_app
from .email import email_preview
from .reading import at, text_at
from .shown import Bubble, Button, Preview, numbered_blanks
from .sms import sms_preview
from .whatsapp import template_preview
from .whatsapp_styles import styled

_DIGITS = "482913"


def example_code(pin_type: PinType, length: int) -> str:
    """Return a code as the template makes them, the same every time."""
    alphabet = pin_type.alphabet
    return "".join(
        alphabet[int(_DIGITS[at % 6]) * (1 + at // 6) % len(alphabet)] for at in range(length)
    )


def entry_preview(
    entry: Mapping[str, Any],
    code: str,
    *,
    sender: str = "",
    provider_template: Mapping[str, Any] | None = None,
) -> Preview:
    """
    Return the preview of a channel entry as the API has it.

    On WhatsApp the provider has the text. If our store knows the template, `provider_template` is it.
    """
    channel = text_at(entry, "channelType")
    default_text, default_subject = default_texts(_placeholder(entry))
    match channel:
        case Channel.WHATSAPP:
            return _on_whatsapp(entry, code, sender, provider_template)
        case Channel.EMAIL:
            return email_preview(
                _filled(entry, text_at(entry, "subjectText") or default_subject, code),
                _filled(entry, text_at(entry, "contentText") or default_text, code),
                sender=sender,
                template=True,
            )
        case _:
            return sms_preview(
                _with_last_line(
                    entry,
                    _filled(entry, text_at(entry, "contentText") or default_text, code),
                    code,
                ),
                unicode=at(entry, "unicode") is True,
                sender=sender,
                template=True,
            )


def _on_whatsapp(
    entry: Mapping[str, Any],
    code: str,
    sender: str,
    provider_template: Mapping[str, Any] | None,
) -> Preview:
    name = text_at(entry, "providerTemplateRef")
    if provider_template is not None:
        values = [{"type": "text", "text": each} for each in _values(entry, code)]
        sent = [{"type": "body", "parameters": values}]
        return template_preview(provider_template, sent, sender=sender)
    buttons = () if at(entry, "copyCodeButtonIndex") is None else (_COPIES,)
    text = _filled(entry, text_at(entry, "contentText") or _placeholder(entry), code)
    return Preview(
        channel="whatsapp",
        sender=sender,
        bubbles=(Bubble(text=styled(numbered_blanks(text)), buttons=buttons),),
        note=f"The provider fills the code into its own template {name}." if name else _NO_TEMPLATE,
    )


def _values(entry: Mapping[str, Any], code: str) -> list[str]:
    """Return the values of a body by position; the code stands at the first one that no value has."""
    values = {int(key): value for key, value in _params(entry).items() if key.isdecimal()}
    free = next(each for each in range(1, len(values) + 2) if each not in values)
    return [value for _, value in sorted({**values, free: code}.items())]


def _filled(entry: Mapping[str, Any], text: str, code: str) -> str:
    placeholder = _placeholder(entry)
    blanks = {each: f"{{{{{each}}}}}" for each in positions(text, placeholder)}
    return fill(text, placeholder, code, {**blanks, **_params(entry)})


def _with_last_line(entry: Mapping[str, Any], text: str, code: str) -> str:
    if host := text_at(entry, "webOtpOrigin"):
        return bound_to_origin(text, host.lower(), code)
    app_hash = text_at(entry, "appHash")
    return for_app(text, app_hash) if app_hash else text


def _placeholder(entry: Mapping[str, Any]) -> str:
    return text_at(entry, "pinPlaceholder") or DEFAULT_PLACEHOLDER


def _params(entry: Mapping[str, Any]) -> dict[str, str]:
    given = at(entry, "paramDefaults")
    if not isinstance(given, Mapping):
        return {}
    return {key: value for key, value in given.items() if isinstance(value, str)}


_COPIES = Button("Copy code", "Copies the code")
_NO_TEMPLATE = "The provider fills the code into its own template; the entry names none."

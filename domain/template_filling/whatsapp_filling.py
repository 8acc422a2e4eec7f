"""Fill in a WhatsApp template, for its provider and for readers (C-26)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, assert_never

from ..message.wording import button, lines
from ..whatsapp_template import (
    AuthenticationContent,
    Body,
    Button,
    Card,
    CodeBody,
    CodeFooter,
    CopyCodeButton,
    CopyCodeOtpButton,
    Footer,
    HeaderFormat,
    OneTapOtpButton,
    OtpButton,
    PhoneNumberButton,
    QuickReplyButton,
    TextHeader,
    UrlButton,
    buttons_of,
    cards_of,
    parameters,
)
from ..whatsapp_template import TemplateContent as WhatsappContent
from ..whatsapp_template.variables import filled
from .whatsapp_components import GivenComponent, read_components

# The English text of Meta. The provider writes it in the template's language (D-91).
_CODE_TEXT = "{{1}} is your verification code."
_CODE_WARNING = "For your security, do not share this code."
_CODE_EXPIRY = "This code expires in {} minutes."


def with_code_button(
    content: WhatsappContent, components: tuple[Mapping[str, Any], ...]
) -> tuple[Mapping[str, Any], ...]:
    """Return the components with the code in the button too if only the body has it (C-26, D-96)."""
    if not isinstance(content, AuthenticationContent) or not buttons_of(content):
        return components
    given, _ = read_components(components, "")
    code = values_of(given, "body")
    if not code or any(each.type == "button" for each in given):
        return components
    parameter = {"type": "text", "text": code[0]}
    pressed = {"type": "button", "sub_type": "url", "index": "0", "parameters": [parameter]}
    return (*components, pressed)


def whatsapp_wording(content: WhatsappContent, components: Sequence[Mapping[str, Any]]) -> str:
    """Return a message as a person reads it: media by their URLs, buttons in brackets."""
    given, _ = read_components(components, "")
    on_cards = {card.index: card.components for each in given for card in each.cards}
    return lines(
        _wording(content, given),
        *(_wording(card, on_cards.get(index, ())) for index, card in enumerate(cards_of(content))),
    )


def _wording(content: WhatsappContent | Card, given: Sequence[GivenComponent]) -> str:
    header, body = values_of(given, "header"), values_of(given, "body")
    medium = header[0] if header and parameters(content).header is not HeaderFormat.TEXT else None
    pressed = {each.index: each.parameters for each in given if each.type == "button"}
    return lines(
        medium,
        message_text(content, header=header, body=body),
        *(
            _button_wording(each, [value.shown for value in pressed.get(index, ())])
            for index, each in enumerate(buttons_of(content))
        ),
    )


def message_text(
    content: WhatsappContent | Card, *, header: Sequence[str] = (), body: Sequence[str] = ()
) -> str:
    """Return a message as a person reads it, without buttons: header, body and footer on their own lines."""
    said = {}
    for component in content.components:
        match component:
            case TextHeader(text=text):
                said["HEADER"] = filled(text, header)
            case Body(text=text):
                said["BODY"] = filled(text, body)
            case CodeBody():
                said["BODY"] = filled(code_text(component), body)
            case Footer(text=text):
                said["FOOTER"] = text
            case CodeFooter(code_expiration_minutes=int(minutes)):
                said["FOOTER"] = expiry_text(minutes)
            case _:
                pass
    return "\n".join(said[kind] for kind in ("HEADER", "BODY", "FOOTER") if kind in said)


def code_text(body: CodeBody) -> str:
    """Return the text around a code, with Meta's own words where the author gave none (D-91)."""
    said = _CODE_TEXT if body.text is None else body.text
    return f"{said} {_CODE_WARNING}" if body.add_security_recommendation else said


def expiry_text(minutes: int) -> str:
    """Return the footer that says how long a code is valid."""
    return _CODE_EXPIRY.format(minutes)


def values_of(given: Sequence[GivenComponent], kind: str) -> list[str]:
    """Return the values of a send for the header, the body or another kind of component."""
    of_kind = chain.from_iterable(each.parameters for each in given if each.type == kind)
    return [each.shown for each in of_kind]


def _button_wording(pressed: Button | OtpButton, values: Sequence[str]) -> str:
    match pressed:
        case QuickReplyButton(text=text):
            return button(text)
        case UrlButton(text=text, url=url):
            return button(text, filled(url, values))
        case PhoneNumberButton(text=text, phone_number=number):
            return button(text, number)
        case CopyCodeButton():
            return button("Copy code", *values)
        case CopyCodeOtpButton(text=text) | OneTapOtpButton(text=text):
            return button(text or "Copy code", *values)
        case _:
            assert_never(pressed)

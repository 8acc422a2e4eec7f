"""
Reads the components of a WhatsApp template, member by member.

A component of unknown type is replaced by one that breaks no rule, so that the rest can be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from ...domain.whatsapp_template import (
    Body,
    Button,
    Buttons,
    Card,
    CardComponent,
    Carousel,
    CodeBody,
    CodeButtons,
    CodeComponent,
    CodeFooter,
    CopyCodeButton,
    CopyCodeOtpButton,
    Footer,
    HeaderFormat,
    LocationHeader,
    MediaHeader,
    OneTapOtpButton,
    OtpButton,
    PhoneNumberButton,
    QuickReplyButton,
    SupportedApp,
    TextHeader,
    UrlButton,
    WordedComponent,
)
from .template_parts import Part


def worded_component(part: Part) -> WordedComponent:
    """Read a component of a template with free text."""
    kind = part.choice("type", WORDED)
    if kind is None:
        return LocationHeader()
    component = WORDED[kind](part)
    part.done()
    return component


def code_component(part: Part) -> CodeComponent:
    """Read a component of a template that carries a code."""
    kind = part.choice("type", _OF_A_CODE)
    if kind is None:
        return CodeFooter()
    component = _OF_A_CODE[kind](part)
    part.done()
    return component


def _header(part: Part) -> WordedComponent:
    named = part.choice("format", list(HeaderFormat))
    match HeaderFormat(named) if named else None:
        case HeaderFormat.TEXT:
            return TextHeader(text=part.text("text"), example=_example(part, "header_text"))
        case (HeaderFormat.IMAGE | HeaderFormat.VIDEO | HeaderFormat.DOCUMENT) as kind:
            return MediaHeader(format=kind, example=_example(part, "header_handle"))
        case _:
            return LocationHeader()


def _body(part: Part) -> Body:
    return Body(text=part.text("text"), example=_body_example(part))


def _footer(part: Part) -> Footer:
    return Footer(text=part.text("text"))


def _buttons(part: Part) -> Buttons:
    return Buttons(buttons=part.required_parts("buttons", _button))


def _carousel(part: Part) -> Carousel:
    return Carousel(cards=part.required_parts("cards", _card))


def _card(part: Part) -> Card:
    card = Card(components=part.required_parts("components", _card_component))
    part.done()
    return card


def _card_component(part: Part) -> CardComponent:
    kind = part.choice("type", _ON_A_CARD)
    if kind is None:
        return Buttons(buttons=())
    component = _ON_A_CARD[kind](part)
    part.done()
    return component


def _medium(part: Part) -> MediaHeader:
    named = part.choice("format", [HeaderFormat.IMAGE, HeaderFormat.VIDEO])
    kind: Literal[HeaderFormat.IMAGE, HeaderFormat.VIDEO] = (
        HeaderFormat.VIDEO if named == HeaderFormat.VIDEO else HeaderFormat.IMAGE
    )
    return MediaHeader(format=kind, example=_example(part, "header_handle"))


def _code_body(part: Part) -> CodeBody:
    return CodeBody(
        text=part.optional_text("text"),
        example=_body_example(part),
        add_security_recommendation=part.optional_truth("add_security_recommendation"),
    )


def _code_footer(part: Part) -> CodeFooter:
    return CodeFooter(code_expiration_minutes=part.optional_number("code_expiration_minutes"))


def _code_buttons(part: Part) -> CodeButtons:
    return CodeButtons(buttons=part.required_parts("buttons", _otp_button))


def _button(part: Part) -> Button:
    kind = part.choice("type", BUTTONS)
    if kind is None:
        return QuickReplyButton(text="-")
    button = BUTTONS[kind](part)
    part.done()
    return button


def _url_button(part: Part) -> UrlButton:
    return UrlButton(text=part.text("text"), url=part.text("url"), example=part.texts("example"))


def _otp_button(part: Part) -> OtpButton:
    part.choice("type", ["OTP"])
    kind = part.choice("otp_type", ["COPY_CODE", "ONE_TAP"])
    text = part.optional_text("text")
    if kind != "ONE_TAP":
        if kind:
            part.done()
        return CopyCodeOtpButton(text=text)
    button = OneTapOtpButton(
        text=text,
        autofill_text=part.optional_text("autofill_text"),
        supported_apps=part.required_parts("supported_apps", _app),
    )
    part.done()
    return button


def _app(part: Part) -> SupportedApp:
    app = SupportedApp(
        package_name=part.text("package_name"), signature_hash=part.text("signature_hash")
    )
    part.done()
    return app


def _example(part: Part, member: str) -> tuple[str, ...] | None:
    example = part.optional_part("example")
    return None if example is None else example.texts(member)


def _body_example(part: Part) -> tuple[str, ...] | None:
    example = part.optional_part("example")
    return None if example is None else example.texts_in_a_list("body_text")


WORDED: Mapping[str, Callable[[Part], WordedComponent]] = {
    "HEADER": _header,
    "BODY": _body,
    "FOOTER": _footer,
    "BUTTONS": _buttons,
    "CAROUSEL": _carousel,
}
_ON_A_CARD: Mapping[str, Callable[[Part], CardComponent]] = {
    "HEADER": _medium,
    "BODY": _body,
    "BUTTONS": _buttons,
}
_OF_A_CODE: Mapping[str, Callable[[Part], CodeComponent]] = {
    "BODY": _code_body,
    "FOOTER": _code_footer,
    "BUTTONS": _code_buttons,
}
BUTTONS: Mapping[str, Callable[[Part], Button]] = {
    "QUICK_REPLY": lambda part: QuickReplyButton(text=part.text("text")),
    "URL": _url_button,
    "PHONE_NUMBER": lambda part: PhoneNumberButton(
        text=part.text("text"), phone_number=part.text("phone_number")
    ),
    "COPY_CODE": lambda part: CopyCodeButton(example=part.optional_text("example")),
}

"""What a send has to fill in of a WhatsApp template, and how the message reads then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import assert_never

from attrs import field, frozen

from .buttons import (
    CopyCodeButton,
    CopyCodeOtpButton,
    OneTapOtpButton,
    PhoneNumberButton,
    QuickReplyButton,
    UrlButton,
)
from .content import (
    Body,
    Buttons,
    Card,
    Carousel,
    CodeBody,
    CodeButtons,
    CodeFooter,
    Footer,
    HeaderFormat,
    LocationHeader,
    MediaHeader,
    TemplateContent,
    TextHeader,
)
from .variables import filled, positions

# What Meta says in English, in every language; a provider says it in the template's (D-91).
CODE_TEXT = "{{1}} is your verification code."
CODE_WARNING = "For your security, do not share this code."
CODE_EXPIRY = "This code expires in {} minutes."


class ButtonParameter(StrEnum):
    """What a button is filled with: the end of its URL, a coupon's code, or the code itself."""

    URL = "URL"
    COPY_CODE = "COPY_CODE"
    OTP = "OTP"


@frozen(kw_only=True)
class Parameters:
    """
    What has to come with a send.

    `header` is there where the header takes something: a text for its variable, a medium or a place.
    `body` is the number of the body's values, by position from 1. `buttons` are those that take
    something, by their index from 0; a quick reply's payload may be left out. `cards` are what each card
    of a carousel takes.
    """

    header: HeaderFormat | None = None
    body: int = 0
    buttons: Mapping[int, ButtonParameter] = field(factory=dict)
    cards: tuple[Parameters, ...] = ()


def parameters(content: TemplateContent | Card) -> Parameters:
    """Give what has to come with a send under a template, or for a card of one."""
    header, body, buttons = None, 0, {}
    cards: tuple[Parameters, ...] = ()
    for component in content.components:
        match component:
            case TextHeader(text=text):
                header = HeaderFormat.TEXT if positions(text) else None
            case MediaHeader() | LocationHeader():
                header = component.format
            case Body(text=text):
                body = len(set(positions(text)))
            case CodeBody():
                body = 1
            case Buttons() | CodeButtons():
                taken = ((i, _taken_by(each)) for i, each in enumerate(component.buttons))
                buttons = {index: what for index, what in taken if what is not None}
            case Carousel():
                cards = tuple(parameters(card) for card in component.cards)
            case Footer() | CodeFooter():
                pass
            case _:
                assert_never(component)
    return Parameters(header=header, body=body, buttons=buttons, cards=cards)


def body_text(content: TemplateContent | Card) -> str:
    """Give the body with its variables."""
    for component in content.components:
        match component:
            case Body(text=text):
                return text
            case CodeBody():
                said = CODE_TEXT if component.text is None else component.text
                return f"{said} {CODE_WARNING}" if component.add_security_recommendation else said
            case _:
                pass
    return ""


def message_text(
    content: TemplateContent | Card, *, header: Sequence[str] = (), body: Sequence[str] = ()
) -> str:
    """Give a message as a person reads it, line by line: header, body and footer, but no buttons."""
    lines = {"BODY": filled(body_text(content), body)}
    for component in content.components:
        match component:
            case TextHeader(text=text):
                lines["HEADER"] = filled(text, header)
            case Footer(text=text):
                lines["FOOTER"] = text
            case CodeFooter(code_expiration_minutes=int(minutes)):
                lines["FOOTER"] = CODE_EXPIRY.format(minutes)
            case _:
                pass
    return "\n".join(lines[kind] for kind in ("HEADER", "BODY", "FOOTER") if kind in lines)


def _taken_by(
    button: QuickReplyButton
    | UrlButton
    | PhoneNumberButton
    | CopyCodeButton
    | CopyCodeOtpButton
    | OneTapOtpButton,
) -> ButtonParameter | None:
    match button:
        case UrlButton(url=url):
            return ButtonParameter.URL if positions(url) else None
        case CopyCodeButton():
            return ButtonParameter.COPY_CODE
        case CopyCodeOtpButton() | OneTapOtpButton():
            return ButtonParameter.OTP
        case QuickReplyButton() | PhoneNumberButton():
            return None
        case _:
            assert_never(button)

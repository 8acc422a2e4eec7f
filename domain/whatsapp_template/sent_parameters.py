"""The parameters that a send under a WhatsApp template must have."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import assert_never

from attrs import field, frozen

from .buttons import (
    Button,
    CopyCodeButton,
    CopyCodeOtpButton,
    OneTapOtpButton,
    OtpButton,
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
from .variables import positions


class ButtonParameter(StrEnum):
    """The parameter of a button: the end of its URL, a coupon's code, or the code itself."""

    URL = "URL"
    COPY_CODE = "COPY_CODE"
    OTP = "OTP"


@frozen(kw_only=True)
class Parameters:
    """
    The parameters that a send must have.

    `header` is the format of the header's parameter: a text for its variable, a medium or a place.
    `body` is the number of the body's values, by position from 1. `buttons` are those with a parameter,
    by their index from 0; a quick reply's payload may be left out. `cards` are the parameters of each
    card of a carousel.
    """

    header: HeaderFormat | None = None
    body: int = 0
    buttons: Mapping[int, ButtonParameter] = field(factory=dict)
    cards: tuple[Parameters, ...] = ()


def parameters(content: TemplateContent | Card) -> Parameters:
    """Return the parameters that a send under a template must have, or those of one card."""
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


def _taken_by(button: Button | OtpButton) -> ButtonParameter | None:
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

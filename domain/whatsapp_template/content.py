"""
The content of a WhatsApp template, in Meta's shape (C-26): components in the author's order.

`category` tells two kinds of templates apart: those with the author's words, and those that carry a
code. Examples replace the variables for a reviewer (D-90).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from attrs import frozen

from .buttons import Button, OtpButton


class Category(StrEnum):
    """The purpose of a template (SPEC 4 C)."""

    AUTHENTICATION = "AUTHENTICATION"
    UTILITY = "UTILITY"
    MARKETING = "MARKETING"


class HeaderFormat(StrEnum):
    """The format of the header above the body."""

    TEXT = "TEXT"
    IMAGE = "IMAGE"
    VIDEO = "VIDEO"
    DOCUMENT = "DOCUMENT"
    LOCATION = "LOCATION"


@frozen(kw_only=True)
class TextHeader:
    """A line above the body with at most one variable; `example` is its value."""

    type: Literal["HEADER"] = "HEADER"
    format: Literal[HeaderFormat.TEXT] = HeaderFormat.TEXT
    text: str
    example: tuple[str, ...] | None = None


@frozen(kw_only=True)
class MediaHeader:
    """A medium that each send provides; `example` is the id of an uploaded one, or Meta's handle."""

    type: Literal["HEADER"] = "HEADER"
    format: Literal[HeaderFormat.IMAGE, HeaderFormat.VIDEO, HeaderFormat.DOCUMENT]
    example: tuple[str, ...] | None = None


@frozen(kw_only=True)
class LocationHeader:
    """A place on a map that each send provides."""

    type: Literal["HEADER"] = "HEADER"
    format: Literal[HeaderFormat.LOCATION] = HeaderFormat.LOCATION


@frozen(kw_only=True)
class Body:
    """The text of a message; `example` has a value for each of its variables."""

    type: Literal["BODY"] = "BODY"
    text: str
    example: tuple[str, ...] | None = None


@frozen(kw_only=True)
class Footer:
    """A fixed line below the body."""

    type: Literal["FOOTER"] = "FOOTER"
    text: str


@frozen(kw_only=True)
class Buttons:
    """The buttons below a message, in this order."""

    type: Literal["BUTTONS"] = "BUTTONS"
    buttons: tuple[Button, ...]


@frozen(kw_only=True)
class CodeBody:
    """
    The text around a code, by default a fixed one (D-91); `example` is an example of the code.

    A warning to keep the code secret follows on request.
    """

    type: Literal["BODY"] = "BODY"
    text: str | None = None
    example: tuple[str, ...] | None = None
    add_security_recommendation: bool | None = None


@frozen(kw_only=True)
class CodeFooter:
    """The validity of the code, if a number of minutes is given."""

    type: Literal["FOOTER"] = "FOOTER"
    code_expiration_minutes: int | None = None


@frozen(kw_only=True)
class CodeButtons:
    """The button that copies the code or passes it to an app."""

    type: Literal["BUTTONS"] = "BUTTONS"
    buttons: tuple[OtpButton, ...]


CardComponent = MediaHeader | Body | Buttons


@frozen(kw_only=True)
class Card:
    """One card of a carousel: its medium, texts and buttons."""

    components: tuple[CardComponent, ...]


@frozen(kw_only=True)
class Carousel:
    """Cards below the body, beside each other."""

    type: Literal["CAROUSEL"] = "CAROUSEL"
    cards: tuple[Card, ...]


WordedComponent = TextHeader | MediaHeader | LocationHeader | Body | Footer | Buttons | Carousel
CodeComponent = CodeBody | CodeFooter | CodeButtons


@frozen(kw_only=True)
class WordedContent:
    """The components of a template with its author's words."""

    category: Literal[Category.UTILITY, Category.MARKETING]
    components: tuple[WordedComponent, ...]


@frozen(kw_only=True)
class AuthenticationContent:
    """The components of a template that carries a code, and no other text."""

    category: Literal[Category.AUTHENTICATION] = Category.AUTHENTICATION
    components: tuple[CodeComponent, ...]


TemplateContent = WordedContent | AuthenticationContent


def cards_of(content: TemplateContent | Card) -> tuple[Card, ...]:
    """Return the cards of a carousel; none without a carousel."""
    for each in content.components:
        if isinstance(each, Carousel):
            return each.cards
    return ()


def buttons_of(content: TemplateContent | Card) -> tuple[Button | OtpButton, ...]:
    """Return the buttons below a message or on a card, in order."""
    for each in content.components:
        if isinstance(each, Buttons | CodeButtons):
            return each.buttons
    return ()


def header_examples(content: TemplateContent) -> dict[str, str]:
    """Return the example media of headers, including those of cards, by their paths."""
    found = _examples("", content.components)
    for index, component in enumerate(content.components):
        if isinstance(component, Carousel):
            for number, card in enumerate(component.cards):
                found |= _examples(f"components[{index}].cards[{number}].", card.components)
    return found


def _examples(path: str, components: Sequence[object]) -> dict[str, str]:
    return {
        f"{path}components[{index}].example.header_handle[{place}]": handle
        for index, component in enumerate(components)
        if isinstance(component, MediaHeader)
        for place, handle in enumerate(component.example or ())
    }


@frozen(kw_only=True)
class TemplateDefinition:
    """A template as its author gives it; one name may exist in several languages."""

    name: str
    language: str
    content: TemplateContent

"""
What a WhatsApp template says, in Meta's shape (C-26): components in the order that its author gave.

Two kinds of templates, told apart by `category`: those that their author words, and those that carry
a code. Examples are what a reviewer sees in the place of variables (D-90).
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from attrs import frozen

from .buttons import Button, OtpButton


class Category(StrEnum):
    """What a template is for (SPEC 4 C)."""

    AUTHENTICATION = "AUTHENTICATION"
    UTILITY = "UTILITY"
    MARKETING = "MARKETING"


class HeaderFormat(StrEnum):
    """What stands above the body."""

    TEXT = "TEXT"
    IMAGE = "IMAGE"
    VIDEO = "VIDEO"
    DOCUMENT = "DOCUMENT"
    LOCATION = "LOCATION"


@frozen(kw_only=True)
class TextHeader:
    """A line above the body, with one variable at most; `example` is that one's."""

    type: Literal["HEADER"] = "HEADER"
    format: Literal[HeaderFormat.TEXT] = HeaderFormat.TEXT
    text: str
    example: tuple[str, ...] | None = None


@frozen(kw_only=True)
class MediaHeader:
    """A medium that each send gives; `example` is the id of an uploaded one, or Meta's handle."""

    type: Literal["HEADER"] = "HEADER"
    format: Literal[HeaderFormat.IMAGE, HeaderFormat.VIDEO, HeaderFormat.DOCUMENT]
    example: tuple[str, ...] | None = None


@frozen(kw_only=True)
class LocationHeader:
    """A place on a map that each send gives."""

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
    """A line below the body, always the same."""

    type: Literal["FOOTER"] = "FOOTER"
    text: str


@frozen(kw_only=True)
class Buttons:
    """What a recipient can press, in this order."""

    type: Literal["BUTTONS"] = "BUTTONS"
    buttons: tuple[Button, ...]


@frozen(kw_only=True)
class CodeBody:
    """
    The text around a code, fixed where none is given (D-91), `example` being the code's.

    A warning not to pass the code on follows if asked for.
    """

    type: Literal["BODY"] = "BODY"
    text: str | None = None
    example: tuple[str, ...] | None = None
    add_security_recommendation: bool | None = None


@frozen(kw_only=True)
class CodeFooter:
    """Says for how long the code holds, if a number of minutes is given."""

    type: Literal["FOOTER"] = "FOOTER"
    code_expiration_minutes: int | None = None


@frozen(kw_only=True)
class CodeButtons:
    """The button that takes the code to where it is needed."""

    type: Literal["BUTTONS"] = "BUTTONS"
    buttons: tuple[OtpButton, ...]


CardComponent = MediaHeader | Body | Buttons


@frozen(kw_only=True)
class Card:
    """One card of a carousel: its medium, what it says, and what can be pressed on it."""

    components: tuple[CardComponent, ...]


@frozen(kw_only=True)
class Carousel:
    """Cards below the body, to be looked through from side to side."""

    type: Literal["CAROUSEL"] = "CAROUSEL"
    cards: tuple[Card, ...]


WordedComponent = TextHeader | MediaHeader | LocationHeader | Body | Footer | Buttons | Carousel
CodeComponent = CodeBody | CodeFooter | CodeButtons


@frozen(kw_only=True)
class WordedContent:
    """What its author words."""

    category: Literal[Category.UTILITY, Category.MARKETING]
    components: tuple[WordedComponent, ...]


@frozen(kw_only=True)
class AuthenticationContent:
    """What carries a code, and says nothing else."""

    category: Literal[Category.AUTHENTICATION] = Category.AUTHENTICATION
    components: tuple[CodeComponent, ...]


TemplateContent = WordedContent | AuthenticationContent


def cards_of(content: TemplateContent | Card) -> tuple[Card, ...]:
    """Return the cards of a carousel; none where there is none."""
    for each in content.components:
        if isinstance(each, Carousel):
            return each.cards
    return ()


def buttons_of(content: TemplateContent | Card) -> tuple[Button | OtpButton, ...]:
    """Return what can be pressed below a message or on a card, in order."""
    for each in content.components:
        if isinstance(each, Buttons | CodeButtons):
            return each.buttons
    return ()


def header_examples(content: TemplateContent) -> dict[str, str]:
    """Return the media that stand in as examples of a header, of cards too, by their paths."""
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
    """A template as its author gives it; one name may be there in several languages."""

    name: str
    language: str
    content: TemplateContent

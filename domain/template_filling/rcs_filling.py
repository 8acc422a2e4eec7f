"""Fill in an RCS template: its texts, its cards and its buttons (SPEC 2.2, C-60)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, assert_never

import attrs

from ..message.wording import button, lines
from ..placeholders import NAMED
from ..rcs_template import (
    CalendarEvent,
    Card,
    Carousel,
    DialerAction,
    Reply,
    RichCard,
    ShareLocation,
    Suggestion,
    TextMessage,
    TextMessageWithMedia,
    UrlAction,
    ViewLocationLatLong,
    ViewLocationQuery,
)
from ..rcs_template import TemplateContent as RcsContent


@lru_cache(maxsize=256)
def placeholders(content: RcsContent) -> Mapping[str, int]:
    """
    Return the number of occurrences of each placeholder.

    The result is cached: a call may send one template a thousand times. What was filled in for a person is
    never asked for.
    """
    return Counter(found[1] for text in _texts(content) for found in NAMED.finditer(text))


def weight(content: RcsContent, values: Mapping[str, str]) -> int:
    """Return the number of characters of a template as written or as filled in, whichever is more."""
    written = sum(map(len, _texts(content)))
    more = (
        number * (len(values.get(name, "")) - len(name) - len("[]"))
        for name, number in placeholders(content).items()
    )
    return max(written, written + sum(more))


def filled(content: RcsContent, values: Mapping[str, str]) -> RcsContent:
    """Fill in the given values, each text in one pass; placeholders without a value stay."""
    match content:
        case TextMessage() | TextMessageWithMedia():
            return attrs.evolve(
                content,
                text_message_content=_filled(content.text_message_content, values),
                suggestions=_pressed(content.suggestions, values),
            )
        case RichCard():
            return attrs.evolve(
                content,
                stand_alone=_card(content.stand_alone, values),
                suggestions=_pressed(content.suggestions, values),
            )
        case Carousel():
            return attrs.evolve(
                content,
                carousel_list=tuple(_card(each, values) for each in content.carousel_list),
                suggestions=_pressed(content.suggestions, values),
            )
        case _:
            assert_never(content)


def wording(content: RcsContent) -> str:
    """Return a template as a person reads it: media by their URLs, buttons in brackets."""
    buttons = lines(*map(_button_wording, content.suggestions or ()))
    match content:
        case TextMessage():
            return lines(content.text_message_content, buttons)
        case TextMessageWithMedia():
            medium = content.document_url or content.document_file_name
            return lines(medium, content.text_message_content, buttons)
        case RichCard():
            return lines(_card_wording(content.stand_alone), buttons)
        case Carousel():
            return lines(*map(_card_wording, content.carousel_list), buttons)
        case _:
            assert_never(content)


def _texts(content: RcsContent) -> Iterator[str]:
    cards: tuple[Card, ...] = ()
    match content:
        case TextMessage() | TextMessageWithMedia():
            yield content.text_message_content
        case RichCard():
            cards = (content.stand_alone,)
        case Carousel():
            cards = content.carousel_list
        case _:
            assert_never(content)
    for card in cards:
        yield card.card_title
        yield card.card_description
    for part in (content, *cards):
        for suggestion in part.suggestions or ():
            yield from _of(suggestion).values()


def _of(suggestion: Suggestion) -> Mapping[str, str]:
    """Return the texts of a button by field name; all of them may have placeholders."""
    return {
        name: value
        for name, value in attrs.asdict(suggestion).items()
        if name != "suggestion_type" and isinstance(value, str)
    }


def _pressed(
    suggestions: tuple[Suggestion, ...] | None, values: Mapping[str, str]
) -> tuple[Suggestion, ...] | None:
    return None if suggestions is None else tuple(_button(each, values) for each in suggestions)


def _button(suggestion: Suggestion, values: Mapping[str, str]) -> Suggestion:
    texts: Mapping[str, Any] = {
        name: _filled(text, values) for name, text in _of(suggestion).items()
    }
    return attrs.evolve(suggestion, **texts)


def _card(card: Card, values: Mapping[str, str]) -> Card:
    return attrs.evolve(
        card,
        card_title=_filled(card.card_title, values),
        card_description=_filled(card.card_description, values),
        suggestions=_pressed(card.suggestions, values),
    )


def _filled(text: str, values: Mapping[str, str]) -> str:
    return NAMED.sub(lambda found: values.get(found[1], found[0]), text)


def _card_wording(card: Card) -> str:
    return lines(
        card.media_url or card.file_name or card.document_file_name,
        card.card_title,
        card.card_description,
        *map(_button_wording, card.suggestions or ()),
    )


def _button_wording(suggestion: Suggestion) -> str:
    match suggestion:
        case Reply() | ShareLocation():
            does = None
        case DialerAction(phone_number=does) | UrlAction(url=does) | ViewLocationQuery(query=does):
            pass
        case ViewLocationLatLong():
            does = f"{suggestion.label} ({suggestion.latitude}, {suggestion.longitude})"
        case CalendarEvent():
            does = f"{suggestion.title}, {suggestion.start_time} to {suggestion.end_time}"
        case _:
            assert_never(suggestion)
    return button(suggestion.display_text, does)

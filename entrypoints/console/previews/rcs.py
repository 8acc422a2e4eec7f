"""The preview of an RCS message: a text, a card or a carousel, with its suggestions (SPEC 2.2, 2.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .reading import at, list_at, text_at
from .shown import OPENS, REPLIES, Bubble, Button, Preview, medium_of, named_blanks


def rcs_preview(data: Mapping[str, Any], *, sender: str = "") -> Preview:
    """
    Return the preview of a template as its author writes it, filled in or not.

    `data` has the members of a create's `data`; a fetched template has them too.
    """
    bubbles: tuple[Bubble, ...] = ()
    cards: tuple[Bubble, ...] = ()
    match text_at(data, "type"):
        case "rich_card":
            bubbles = (_card(at(data, "standAlone"), data),)
        case "carousel":
            cards = tuple(_card(each, data) for each in list_at(data, "carouselList"))
        case _:
            bubbles = (_text(data),)
    return Preview(
        channel="rcs",
        sender=sender,
        bubbles=bubbles,
        cards=cards,
        suggestions=_buttons(data),
    )


def _text(data: Mapping[str, Any]) -> Bubble:
    return Bubble(
        medium=medium_of(text_at(data, "documentUrl"), text_at(data, "documentFileName")),
        text=named_blanks(text_at(data, "textMessageContent")),
        below=text_at(data, "messageOrder") == "text_message_at_top",
    )


def _card(card: Any, layout: Mapping[str, Any]) -> Bubble:
    name = text_at(card, "fileName") or text_at(card, "documentFileName")
    horizontal = text_at(layout, "orientation") == "HORIZONTAL"
    return Bubble(
        medium=medium_of(text_at(card, "mediaUrl"), name),
        title=named_blanks(text_at(card, "cardTitle")),
        text=named_blanks(text_at(card, "cardDescription")),
        buttons=_buttons(card),
        beside=_SIDES.get(text_at(layout, "alignment"), "left") if horizontal else "",
        height=_HEIGHTS.get(text_at(layout, "height"), ""),
    )


def _buttons(part: Any) -> tuple[Button, ...]:
    return tuple(
        Button(text_at(each, "displayText"), _does(each)) for each in list_at(part, "suggestions")
    )


def _does(suggestion: Any) -> str:
    """Say what a suggestion does; a word that no kind has is shown as it is."""
    match text_at(suggestion, "suggestionType"):
        case "reply":
            return REPLIES
        case "dialer_action":
            return f"Calls {text_at(suggestion, 'phoneNumber')}"
        case "url_action":
            return f"{OPENS}{text_at(suggestion, 'url')}"
        case "view_location_latlong":
            place = f"{text_at(suggestion, 'latitude')}, {text_at(suggestion, 'longitude')}"
            return f"Shows {text_at(suggestion, 'label')} on a map ({place})"
        case "view_location_query":
            return f"Looks for {text_at(suggestion, 'query')} on a map"
        case "share_location":
            return "Asks for the location"
        case "calendar_event":
            times = f"{text_at(suggestion, 'startTime')} to {text_at(suggestion, 'endTime')}"
            return f"Adds {text_at(suggestion, 'title')} to the calendar, {times}"
        case other:
            return other


_SIDES = {"LEFT": "left", "RIGHT": "right"}
_HEIGHTS = {"SHORT_HEIGHT": "short", "MEDIUM_HEIGHT": "medium", "TALL_HEIGHT": "tall"}

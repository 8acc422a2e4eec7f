"""Converts the values of a legacy send to the components of Meta's sends (C-43)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...domain.whatsapp_template import Card, TemplateContent, UrlButton, buttons_of, cards_of
from . import send_bodies
from .button_places import button_places
from .send_bodies import ButtonType, LegacySend, Media, MediaType


def components(
    wanted: LegacySend | send_bodies.Card, template: TemplateContent | Card
) -> Iterator[tuple[str, dict[str, Any]]]:
    """
    Yield the components of a send or of one of its cards, each with the field that it comes from.

    A button that takes no value, such as a phone number or an address without a variable, has no
    component (D-103).
    """
    if isinstance(wanted, LegacySend) and wanted.header_variables:
        yield "headerVariables", _texts("header", wanted.header_variables)
    if wanted.media is not None:
        yield "media", {"type": "header", "parameters": [_medium(wanted.media)]}
    if wanted.body_variables:
        yield "bodyVariables", _texts("body", wanted.body_variables)
    buttons = wanted.buttons or ()
    for index, place in enumerate(button_places(buttons, template)):
        pressed = _pressed(place, buttons[index], template)
        if pressed is not None:
            yield f"buttons[{index}]", pressed
    if isinstance(wanted, LegacySend) and wanted.cards:
        yield "cards", {"type": "carousel", "cards": _cards(wanted.cards, template)}


def _cards(
    wanted: Sequence[send_bodies.Card], template: TemplateContent | Card
) -> list[dict[str, Any]]:
    there = cards_of(template)
    nothing = Card(components=())
    return [
        {
            "card_index": index,
            "components": [
                part
                for _, part in components(card, there[index] if index < len(there) else nothing)
            ],
        }
        for index, card in enumerate(wanted)
    ]


def _texts(kind: str, values: Mapping[str, str]) -> dict[str, Any]:
    texts = (values[str(position)] for position in range(1, len(values) + 1))
    return {"type": kind, "parameters": [{"type": "text", "text": text} for text in texts]}


def _medium(media: Media) -> dict[str, Any]:
    if media.type is MediaType.DOC:
        named = {"filename": media.name} if media.name else {}
        return {"type": "document", "document": {"link": media.url, **named}}
    kind = media.type.lower()
    return {"type": kind, kind: {"link": media.url}}


def _pressed(
    place: int, button: send_bodies.Button, template: TemplateContent | Card
) -> dict[str, Any] | None:
    payload, sub_type = button.payload, "url"
    if not payload or button.type is ButtonType.PHONE_NUMBER:
        return None
    there = buttons_of(template)
    meant = there[place] if place < len(there) else None
    if button.type is ButtonType.QUICK_REPLY:
        sub_type, parameter = "quick_reply", {"type": "payload", "payload": payload}
    elif isinstance(meant, UrlButton):
        before, variable, _ = meant.url.partition("{{1}}")
        if not variable:
            return None
        # If the payload is the whole address, only its end fills the variable.
        parameter = {"type": "text", "text": payload.removeprefix(before)}
    else:
        parameter = {"type": "text", "text": payload}
    return {"type": "button", "sub_type": sub_type, "index": str(place), "parameters": [parameter]}

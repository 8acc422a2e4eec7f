"""Matches the buttons of a legacy send with the buttons of its template (D-103)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ...domain.whatsapp_template import (
    Card,
    PhoneNumberButton,
    QuickReplyButton,
    TemplateContent,
    UrlButton,
    buttons_of,
)
from .send_bodies import Button, ButtonType

_KINDS: Mapping[ButtonType, type[QuickReplyButton | UrlButton | PhoneNumberButton]] = {
    ButtonType.URL: UrlButton,
    ButtonType.QUICK_REPLY: QuickReplyButton,
    ButtonType.PHONE_NUMBER: PhoneNumberButton,
}


def button_places(wanted: Sequence[Button], template: TemplateContent | Card) -> tuple[int, ...]:
    """
    Return the place in the template of each button of a send.

    First match buttons by type and label. Then match the rest with the next free button of their type: a
    button with a payload first tries those that take one. A button without a match keeps its own place.
    """
    there = buttons_of(template)
    places: dict[int, int] = {}

    def seek(fits: Callable[[int, int], bool]) -> None:
        for index in range(len(wanted)):
            if index not in places:
                free = (place for place in range(len(there)) if place not in places.values())
                found = next((place for place in free if fits(index, place)), None)
                if found is not None:
                    places[index] = found

    def same_type(index: int, place: int) -> bool:
        return isinstance(there[place], _KINDS[wanted[index].type])

    def same_label(index: int, place: int) -> bool:
        button = there[place]
        return isinstance(button, _KINDS[wanted[index].type]) and button.text == wanted[index].text

    def takes_payload(index: int, place: int) -> bool:
        button = there[place]
        fixed = isinstance(button, UrlButton) and "{{1}}" not in button.url
        return same_type(index, place) and bool(wanted[index].payload) and not fixed

    for fits in (same_label, takes_payload, same_type):
        seek(fits)
    return tuple(places.get(index, index) for index in range(len(wanted)))

"""Finds the fields that a template requires and a legacy send lacks."""

from __future__ import annotations

from collections.abc import Iterator

from ...domain.errors import FieldProblem
from ...domain.whatsapp_template import (
    ButtonParameter,
    Card,
    HeaderFormat,
    Parameters,
    TemplateContent,
    cards_of,
    parameters,
)
from . import send_bodies
from .button_places import button_places
from .components import components
from .send_bodies import LegacySend


def left_out(wanted: LegacySend, template: TemplateContent) -> list[FieldProblem]:
    """Return a problem for each field that the template requires and the send lacks (SPEC E2)."""
    return list(_left_out(wanted, template, parameters(template), ""))


def _left_out(
    wanted: LegacySend | send_bodies.Card,
    template: TemplateContent | Card,
    takes: Parameters,
    path: str,
) -> Iterator[FieldProblem]:
    given = {name for name, _ in components(wanted, template)}
    if not given & {"headerVariables", "media"}:
        if takes.header is HeaderFormat.TEXT:
            yield FieldProblem(
                f"{path}headerVariables", "is required: the header has the variable 1"
            )
        elif takes.header not in (None, HeaderFormat.LOCATION):
            yield FieldProblem(f"{path}media", f"is required: the header is of type {takes.header}")
    if takes.body and "bodyVariables" not in given:
        said = ", ".join(map(str, range(1, takes.body + 1)))
        yield FieldProblem(f"{path}bodyVariables", f"is required, with {said} for the body")
    places = button_places(wanted.buttons or (), template)
    for place, kind in takes.buttons.items():
        # If no button of the send matches, the problem names the template's place.
        index = places.index(place) if place in places else place
        if kind is not ButtonParameter.OTP and f"buttons[{index}]" not in given:
            yield FieldProblem(
                f"{path}buttons[{index}].payload",
                "is required: the template's button takes one",
            )
    if not isinstance(wanted, LegacySend):
        return
    if not wanted.cards and any(each != Parameters() for each in takes.cards):
        yield FieldProblem("cards", f"is required: the template has {len(takes.cards)} cards")
    elif wanted.cards and len(wanted.cards) == len(takes.cards):
        yield from _of_cards(wanted.cards, template, takes)


def _of_cards(
    wanted: tuple[send_bodies.Card, ...], template: TemplateContent | Card, takes: Parameters
) -> Iterator[FieldProblem]:
    shown = cards_of(template)
    for index, each in enumerate(wanted):
        yield from _left_out(each, shown[index], takes.cards[index], f"cards[{index}].")

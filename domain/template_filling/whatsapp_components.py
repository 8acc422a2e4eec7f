"""The values of a send under a WhatsApp template, in the shape of Meta's API (SPEC 2.6, C-60)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from ..errors import MOST_PROBLEMS, FieldProblem
from ..message import check_medium
from ..meta_object import MetaObject, objects

# A header, a body and ten buttons; the rest is room for components that the template may not have.
MAX_COMPONENTS = 20
MAX_PARAMETERS = 100
MAX_TEXT = 1_024
MAX_PAYLOAD = 128
MAX_COUPON = 15
MAX_PLACE = 1_000
MEDIA = ("image", "video", "document")
IN_WORDS = ("text", "currency", "date_time")
SUB_TYPES = ("quick_reply", "url", "copy_code")
_KINDS: Mapping[str, Collection[str]] = {
    "header": (*IN_WORDS, *MEDIA, "location"),
    "body": IN_WORDS,
    "button": ("text", "payload", "coupon_code"),
    "carousel": (),
}
MAX_CARDS = 10
_INDEX = re.compile("[0-9]")


@frozen
class Parameter:
    """One value; `shown` is its text for readers, for a medium its address."""

    path: str
    kind: str
    shown: str = field(repr=False)


@frozen
class GivenComponent:
    """
    The values for one component of a template.

    Only buttons have `sub_type` and `index`. Without an index, it is the first button.
    """

    path: str
    type: str
    sub_type: str | None
    index: int
    parameters: tuple[Parameter, ...]
    cards: tuple[GivenCard, ...] = ()


@frozen
class GivenCard:
    """The values for one card of a carousel, by its position."""

    path: str
    index: int
    components: tuple[GivenComponent, ...]


def read_components(
    components: Sequence[Mapping[str, Any]], path: str
) -> tuple[Sequence[GivenComponent], Sequence[FieldProblem]]:
    """Read the components at `path`, and return the first problem that no template could allow (D-19)."""
    problems: list[FieldProblem] = []
    if len(components) > MAX_COMPONENTS:
        return (), (FieldProblem(path, f"must have at most {MAX_COMPONENTS} entries"),)
    read = (_component(each) for each in objects(path, components, problems))
    return [each for each in read if each is not None], problems[:MOST_PROBLEMS]


def _component(given: MetaObject) -> GivenComponent | None:
    kind = _lowered(given, "type", tuple(_KINDS))
    if kind is None:
        return None
    sub_type, index = None, 0
    if kind == "button":
        sub_type, index = _lowered(given, "sub_type", SUB_TYPES), _index(given)
    if kind == "carousel":
        listed_cards = given.parts("cards", 1, MAX_CARDS)
        return GivenComponent(given.path, kind, None, 0, (), tuple(map(_card, listed_cards)))
    listed = given.parts("parameters", 0, MAX_PARAMETERS) if given.has("parameters") else []
    parameters = tuple(_parameter(each, _KINDS[kind]) for each in listed)
    return GivenComponent(given.path, kind, sub_type, index, parameters)


def _card(given: MetaObject) -> GivenCard:
    index = given.members.get("card_index")
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < MAX_CARDS:
        given.note(f"must be the number of a card, 0 to {MAX_CARDS - 1}", "card_index")
        index = 0
    listed = given.parts("components", 0, MAX_COMPONENTS)
    read = (_component(each) for each in listed)
    found = tuple(each for each in read if each is not None and each.type != "carousel")
    return GivenCard(given.path, index, found)


def _lowered(given: MetaObject, name: str, words: Collection[str]) -> str | None:
    """Return a word in lower case; Meta also accepts capitals."""
    value = given.members.get(name)
    if isinstance(value, str):
        given = MetaObject(given.path, {name: value.lower()}, given.problems)
    return given.word(name, words)


def _index(given: MetaObject) -> int:
    value = given.members.get("index")
    if value is None:
        given.note("is required", "index")
    elif not isinstance(value, int | str) or not _INDEX.fullmatch(str(value)):
        given.note("must be the number of a button, 0 to 9, as a text", "index")
    else:
        return int(value)
    return 0


def _parameter(given: MetaObject, kinds: Collection[str]) -> Parameter:
    kind = given.word("type", kinds) or ""
    shown: str | None = ""
    match kind:
        case "text":
            shown = given.text("text", MAX_TEXT)
        case "payload":
            shown = given.text("payload", MAX_PAYLOAD)
        case "coupon_code":
            shown = given.text("coupon_code", MAX_COUPON)
        case "currency" | "date_time":
            value = given.part(kind)
            shown = value.text("fallback_value", MAX_TEXT) if value else None
        case "image" | "video" | "document":
            shown = _medium(given.part(kind))
        case "location":
            shown = _place(given.part(kind))
    return Parameter(given.path, kind, shown or "")


def _medium(given: MetaObject | None) -> str | None:
    if given is None:
        return None
    check_medium(given)
    where = given.members.get("link") or given.members.get("id")
    return where if isinstance(where, str) else None


def _place(given: MetaObject | None) -> str | None:
    if given is None:
        return None
    for name in ("latitude", "longitude"):
        if not isinstance(given.members.get(name), str | int | float):
            given.note("is required" if not given.has(name) else "must be a number", name)
    called = given.text("name", MAX_PLACE, required=False)
    address = given.text("address", MAX_PLACE, required=False)
    at = f"{given.members.get('latitude')}, {given.members.get('longitude')}"
    return ", ".join(part for part in (called, address, at) if part)

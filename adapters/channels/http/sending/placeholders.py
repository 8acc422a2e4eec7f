"""Texts with placeholders, read once from a config and filled for each message in one pass (C-63)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from .....application.ports.channels import Message
from .....domain.destination import digits_of
from .....domain.errors import FieldProblem
from ..presets import Preset

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_CALLBACK_URL = "callback_url"
MESSAGE_NAMES = (
    "destination",
    "destination.digits",
    "text",
    "sender",
    "reference",
    "template_id",
    "entity_id",
    "ttl",
    _CALLBACK_URL,
)
# These members have placeholders of their own, so no placeholder stands for them.
_TEMPLATES = frozenset({"url", "query", "headers", "body"})

Values = Mapping[str, str]


@frozen
class Filling:
    """A text between whose `literals` the values of `names` are put."""

    literals: tuple[str, ...]
    names: tuple[str, ...] = ()
    is_number: bool = False

    def fill(self, values: Values, quoted: Callable[[str], str] = str) -> str:
        """
        Return the text with each value in its place, quoted.

        A value is never filled again, even if it looks like a placeholder.
        """
        parts = [self.literals[0]]
        for name, literal in zip(self.names, self.literals[1:], strict=True):
            parts += (quoted(values[name]), literal)
        return "".join(parts)

    def vanishes(self, values: Values) -> bool:
        """Return whether the text is one empty placeholder, or has an address that nobody has (D-203)."""
        if _CALLBACK_URL in self.names and not values[_CALLBACK_URL]:
            return True
        return len(self.names) == 1 and not any(self.literals) and not values[self.names[0]]


class Placeholders:
    """The placeholders of one config: those of every message, its own members, and its preset's."""

    def __init__(self, config: Mapping[str, Any], preset: Preset | None = None) -> None:
        self.constants = dict(_constants(config, "config"))
        self._preset = preset
        self._of_preset = {f"preset.{each}" for each in preset.value_names} if preset else set()
        self._numbers = {f"preset.{each}" for each in preset.numbers} if preset else set()

    def read(self, text: str, field: str, problems: list[FieldProblem]) -> Filling:
        """Read a text; note a placeholder that does not exist, and one that never ends."""
        literals, names = (split := _PLACEHOLDER.split(text))[::2], split[1::2]
        for name in names:
            if not any(name in each for each in (MESSAGE_NAMES, self.constants, self._of_preset)):
                known = f"{', '.join(MESSAGE_NAMES)}, and config.<member>"
                problems.append(FieldProblem(field, f"has no placeholder {name!r}, but {known}"))
        if any("{{" in each or "}}" in each for each in literals):
            problems.append(FieldProblem(field, "has a placeholder that is not written {{name}}"))
        is_number = len(names) == 1 and not any(literals) and names[0] in self._numbers
        return Filling(tuple(literals), tuple(names), is_number)

    def values(self, message: Message, callback_url: str) -> Values:
        """Return the values of all placeholders for a message; one without a value is empty."""
        ttl = message.ttl_seconds
        own = self._preset.values(message, callback_url) if self._preset else {}
        return {
            **self.constants,
            **{f"preset.{name}": value for name, value in own.items()},
            "destination": message.destination,
            "destination.digits": digits_of(message.destination),
            "text": message.text,
            "sender": message.sender or "",
            "reference": message.reference,
            "template_id": message.template_id or "",
            "entity_id": message.entity_id or "",
            "ttl": "" if ttl is None else str(ttl),
            _CALLBACK_URL: callback_url,
        }


def has_placeholder(text: str) -> bool:
    """Return whether a text has a placeholder, or the beginning or end of one."""
    return "{{" in text or "}}" in text


def _constants(members: Mapping[str, Any], place: str) -> Iterator[tuple[str, str]]:
    for name, value in members.items():
        path = f"{place}.{name}"
        if name in _TEMPLATES:
            continue
        if isinstance(value, Mapping):
            yield from _constants(value, path)
        elif isinstance(value, str | int) and not isinstance(value, bool):
            yield path, str(value)

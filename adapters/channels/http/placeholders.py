"""Texts with placeholders, read once from a config and filled for each message in one pass (C-63)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import frozen

from ....application.ports.channels import Message
from ....domain.errors import FieldProblem

_PLACEHOLDER = re.compile(r"\{\{([^{}]*)\}\}")
_NO_DIGITS = re.compile("[^0-9]")
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
        """Return whether the text is one empty placeholder, or has an address that nobody has."""
        if _CALLBACK_URL in self.names and not values[_CALLBACK_URL]:
            return True
        return len(self.names) == 1 and not any(self.literals) and not values[self.names[0]]


class Placeholders:
    """The placeholders of one config: those of every message, and the config's own members."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.constants = dict(_constants(config, "config"))

    def read(self, text: str, field: str, problems: list[FieldProblem]) -> Filling:
        """Read a text; note a placeholder that does not exist, and one that never ends."""
        literals, names = (split := _PLACEHOLDER.split(text))[::2], split[1::2]
        for name in names:
            if name not in MESSAGE_NAMES and name not in self.constants:
                known = ", ".join((*MESSAGE_NAMES, *self.constants))
                problems.append(FieldProblem(field, f"has no placeholder {name!r}, but {known}"))
        if any("{{" in each or "}}" in each for each in literals):
            problems.append(FieldProblem(field, "has a placeholder that is not written {{name}}"))
        return Filling(tuple(literals), tuple(names))

    def values(self, message: Message, callback_url: str) -> Values:
        """Return the values of all placeholders for a message; one without a value is empty."""
        ttl = message.ttl_seconds
        return {
            **self.constants,
            "destination": message.destination,
            "destination.digits": _NO_DIGITS.sub("", message.destination),
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

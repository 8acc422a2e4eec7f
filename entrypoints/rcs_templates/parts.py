"""Objects of a template's JSON, read member by member (SPEC 2.2, 2.3)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from itertools import islice
from typing import Any, TypeVar

import attrs

from ...domain.errors import MOST_PROBLEMS, FieldProblem, camel

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")

OBJECT = "must be an object"


class Reading:
    """What was noted of all parts of one template."""

    def __init__(self) -> None:
        self.problems: list[FieldProblem] = []
        self.ignored: list[str] = []


class Part:
    """
    One object of a template, read member by member; null is as good as no member.

    Where a member cannot be read, that is noted, and something stands in for it, so that the rules
    can be asked about all the rest.
    """

    def __init__(self, reading: Reading, path: str, raw: Any) -> None:
        self._path = path
        self._known: set[str] = set()
        self._raw: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        # What is no object has no members of which something could be wrong.
        self._reading = reading if isinstance(raw, dict) else Reading()
        if not isinstance(raw, dict):
            reading.problems.append(FieldProblem(path, OBJECT))

    def wrong(self, name: str, message: str) -> None:
        """Note that a member is not what it should be."""
        self._reading.problems.append(FieldProblem(f"{self._path}.{name}", message))

    def given(self, name: str) -> Any:
        """Give a member as it came, if it did."""
        self._known.add(camel(name))
        return self._raw.get(camel(name))

    def text(self, name: str) -> str:
        """Read a text that has to be there."""
        text = self.optional_text(name)
        if text is None and self._raw.get(camel(name)) is None:
            self.wrong(name, "is required")
        return text or ""

    def optional_text(self, name: str) -> str | None:
        """Read a text that may be left out."""
        value = self.given(name)
        if value is None or isinstance(value, str):
            return value
        self.wrong(name, "must be a text")
        return None

    def choice(self, name: str, words: Collection[str], *, required: bool = True) -> str | None:
        """Read one of a few words; an empty text is none (D-42)."""
        value = self.given(name)
        if isinstance(value, str) and value in words:
            return value
        if value not in (None, ""):
            self.wrong(name, f"must be one of {', '.join(words)}")
        elif required:
            self.wrong(name, f"is required, one of {', '.join(words)}")
        return None

    def word(self, name: str, words: type[E]) -> E:
        """Read a word of an enumeration, which has to be there."""
        return words(self.choice(name, list(words)) or next(iter(words)))

    def part(self, name: str) -> Part:
        """Read an object that has to be there."""
        value = self.given(name)
        path = f"{self._path}.{name}"
        if value is not None:
            return Part(self._reading, path, value)
        self.wrong(name, "is required")
        return Part(Reading(), path, {})

    def parts(self, name: str, read: Callable[[Part], T]) -> tuple[T, ...] | None:
        """Read a list of objects, as many as there can be and some more (D-19)."""
        value = self.given(name)
        if value is None:
            return None
        if not isinstance(value, list):
            self.wrong(name, "must be a list")
            return None
        path = f"{self._path}.{name}"
        return tuple(
            read(Part(self._reading, f"{path}[{index}]", each))
            for index, each in enumerate(value[:MOST_PROBLEMS])
        )

    def texts_of(self, kind: type[Any]) -> dict[str, str | None]:
        """Read all the texts that a class has."""
        wanted = attrs.fields(attrs.resolve_types(kind))
        return {
            each.name: self.text(each.name) if each.type is str else self.optional_text(each.name)
            for each in wanted
            if each.type in (str, str | None)
        }

    def done(self) -> None:
        """Keep what nobody asked for."""
        path = camel(self._path)
        unknown = (f"{path}.{name}" for name in self._raw if name not in self._known)
        self._reading.ignored += islice(unknown, MOST_PROBLEMS)

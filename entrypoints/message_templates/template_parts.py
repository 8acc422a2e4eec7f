"""Reads the objects of a template's JSON member by member, for all channels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from itertools import islice
from typing import Any, Generic, TypeVar

import attrs
from attrs import evolve, field, frozen

from ...domain.errors import MOST_PROBLEMS, FieldProblem, camel
from ..wire.known_members import Remembering

D = TypeVar("D")
E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")

OBJECT = "must be an object"


@frozen
class ReadTemplate(Generic[D]):
    """
    The result of reading a template.

    `definition` is None if there are `problems`. `ignored` are the written paths of unknown members,
    which are harmless (C-9) and may be misspelt.
    """

    definition: D | None
    problems: tuple[FieldProblem, ...]
    ignored: tuple[str, ...] = ()


@frozen(kw_only=True)
class Reading:
    """
    The notes on all parts of one template.

    `spelled` returns the wire's name of a member, `problem` builds a note, and `word` returns the documented
    form of an enumeration's word.
    """

    spelled: Callable[[str], str] = camel
    problem: Callable[[str, str], FieldProblem] = FieldProblem
    word: Callable[[str], str] = str
    problems: list[FieldProblem] = field(factory=list)
    ignored: list[str] = field(factory=list)

    def aside(self) -> Reading:
        """Return a reading with the same functions and notes of its own."""
        return evolve(self, problems=[], ignored=[])


class Part:
    """
    One object of a template, read member by member; null counts as missing.

    An unreadable member is noted and replaced by a placeholder, so that the rules can check the rest.
    `path` is empty for a template that is the whole body.
    """

    def __init__(self, reading: Reading, path: str, raw: Any) -> None:
        self._path = path
        self._known: set[str] = set()
        self._raw: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        # A value that is no object has no members, so their absence is not noted.
        self._reading = reading if isinstance(raw, dict) else reading.aside()
        if not isinstance(raw, dict):
            reading.problems.append(reading.problem(path, OBJECT))

    def wrong(self, name: str, message: str) -> None:
        """Note that a member is wrong."""
        self._reading.problems.append(self._reading.problem(self._at(name), message))

    def given(self, name: str) -> Any:
        """Return a member as it was sent; None if it is missing."""
        spelled = self._reading.spelled(name)
        self._known.add(spelled)
        return self._raw.get(spelled)

    def text(self, name: str) -> str:
        """Read a required text."""
        text = self.optional_text(name)
        if text is None and self.given(name) is None:
            self.wrong(name, "is required")
        return text or ""

    def optional_text(self, name: str) -> str | None:
        """Read an optional text."""
        return self._optional(name, str, "must be a text")

    def optional_truth(self, name: str) -> bool | None:
        """Read an optional boolean."""
        return self._optional(name, bool, "must be true or false")

    def optional_number(self, name: str) -> int | None:
        """Read an optional integer."""
        return self._optional(name, int, "must be a whole number")

    def choice(self, name: str, words: Collection[str], *, required: bool = True) -> str | None:
        """Read one of a few words; an empty text counts as missing (D-42)."""
        value = self.given(name)
        if isinstance(value, str) and (word := self._reading.word(value)) in words:
            return word
        if value not in (None, ""):
            self.wrong(name, f"must be one of {', '.join(words)}")
        elif required:
            self.wrong(name, f"is required, one of {', '.join(words)}")
        return None

    def word(self, name: str, words: type[E]) -> E:
        """Read a required word of an enumeration."""
        return words(self.choice(name, list(words)) or next(iter(words)))

    def part(self, name: str) -> Part:
        """Read a required object."""
        part = self.optional_part(name)
        if part is None:
            self.wrong(name, "is required")
        return part or Part(self._reading.aside(), self._at(name), {})

    def optional_part(self, name: str) -> Part | None:
        """Read an optional object."""
        value = self.given(name)
        return None if value is None else Part(self._reading, self._at(name), value)

    def parts(self, name: str, read: Callable[[Part], T]) -> tuple[T, ...] | None:
        """Read an optional list of objects, up to the limit of reported problems (D-19)."""
        value = self._optional(name, list, "must be a list")
        if value is None:
            return None
        path = self._at(name)
        return tuple(
            read(Part(self._reading, f"{path}[{index}]", each))
            for index, each in enumerate(value[:MOST_PROBLEMS])
        )

    def required_parts(self, name: str, read: Callable[[Part], T]) -> tuple[T, ...]:
        """Read a required list of objects."""
        if self.given(name) is None:
            self.wrong(name, "is required")
        return self.parts(name, read) or ()

    def texts(self, name: str) -> tuple[str, ...] | None:
        """Read an optional list of texts."""
        value = self._optional(name, list, "must be a list of texts")
        return None if value is None else self._texts(name, value)

    def texts_in_a_list(self, name: str) -> tuple[str, ...] | None:
        """Read an optional list with one list of texts in it."""
        value = self._optional(name, list, "must be a list of texts in a list")
        if value is None:
            return None
        if len(value) != 1 or not isinstance(value[0], list):
            self.wrong(name, "must be a list of texts in a list")
            return None
        return self._texts(f"{name}[0]", value[0])

    def texts_of(self, kind: type[Any]) -> dict[str, str | None]:
        """Read all text fields of a class."""
        wanted = attrs.fields(attrs.resolve_types(kind))
        return {
            each.name: self.text(each.name) if each.type is str else self.optional_text(each.name)
            for each in wanted
            if each.type in (str, str | None)
        }

    def done(self) -> None:
        """Note the members that were not read as ignored."""
        if isinstance(self._raw, Remembering):
            self._raw.complete = True
        path = self._reading.spelled(self._path)
        unknown = (
            f"{path}.{name}" if path else name for name in self._raw if name not in self._known
        )
        self._reading.ignored.extend(islice(unknown, MOST_PROBLEMS))

    def _at(self, name: str) -> str:
        return f"{self._path}.{name}" if self._path else name

    def _optional(self, name: str, kind: type[T], said: str) -> T | None:
        value = self.given(name)
        # Compare types exactly, because `True` is an `int` in Python.
        if value is None or (isinstance(value, kind) and type(value) is kind):
            return value
        self.wrong(name, said)
        return None

    def _texts(self, name: str, value: list[Any]) -> tuple[str, ...]:
        wrong = (index for index, each in enumerate(value) if not isinstance(each, str))
        for index in islice(wrong, MOST_PROBLEMS):
            self.wrong(f"{name}[{index}]", "must be a text")
        return tuple(each if isinstance(each, str) else "" for each in value)

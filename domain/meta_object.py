"""Read objects in the shape of Meta's API, and note every wrong member at its path (C-26)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from attrs import frozen

from .errors import FieldProblem, FormProblem
from .public_url import url_problem


@frozen
class MetaObject:
    """
    An object, its path, and the list of its problems.

    Members and paths are spelled as Meta spells them. Members that no check reads are passed on
    unchanged.
    """

    path: str
    members: Mapping[str, Any]
    problems: list[FieldProblem]

    def note(self, message: str, name: str | None = None) -> None:
        """Note a problem with the object, or with one of its members."""
        self.problems.append(FormProblem(self._at(name) if name else self.path, message))

    def has(self, name: str) -> bool:
        """Return whether a member is given; null counts as not given."""
        return self.members.get(name) is not None

    def text(self, name: str, most: int, *, required: bool = True) -> str | None:
        """Return a text of 1 to `most` characters; note a problem with any other value."""
        value = self._text(name, required=required)
        if value is not None and not 1 <= len(value) <= most:
            self.note(f"must have 1 to {most} characters", name)
            return None
        return value

    def url(self, name: str, *, required: bool = True) -> None:
        """Check the form of a public URL; it is never fetched."""
        value = self._text(name, required=required)
        if value is not None and (problem := url_problem(value)):
            self.note(problem, name)

    def word(self, name: str, words: Collection[str]) -> str | None:
        """Return one of a few words; note a problem with any other value."""
        value = self.members.get(name)
        if isinstance(value, str) and value in words:
            return value
        self._refuse(name, f"must be one of {', '.join(words)}")
        return None

    def flag(self, name: str) -> None:
        """Check a member that may be true, false, or left out."""
        if not isinstance(self.members.get(name), bool | None):
            self.note("must be true or false", name)

    def part(self, name: str, *, required: bool = True) -> MetaObject | None:
        """Return the object in a member."""
        value = self.members.get(name)
        if isinstance(value, Mapping):
            return MetaObject(self._at(name), value, self.problems)
        self._refuse(name, "must be an object", required=required)
        return None

    def parts(self, name: str, least: int, most: int) -> list[MetaObject]:
        """Return the objects in a list; an empty list if there are too few or too many."""
        value = self.members.get(name)
        if not isinstance(value, list | tuple):
            self._refuse(name, "must be a list")
        elif not least <= len(value) <= most:
            self.note(f"must have {least} to {most} entries", name)
        else:
            return objects(self._at(name), value, self.problems)
        return []

    def _text(self, name: str, *, required: bool) -> str | None:
        value = self.members.get(name)
        if isinstance(value, str):
            return value
        self._refuse(name, "must be a text", required=required)
        return None

    def _refuse(self, name: str, rule: str, *, required: bool = True) -> None:
        if self.has(name):
            self.note(rule, name)
        elif required:
            self.note("is required", name)

    def _at(self, name: str) -> str:
        return f"{self.path}.{name}"


def objects(path: str, values: Collection[Any], problems: list[FieldProblem]) -> list[MetaObject]:
    """Return the objects in the list at a path, and note every other value."""
    found = []
    for index, each in enumerate(values):
        if isinstance(each, Mapping):
            found.append(MetaObject(f"{path}[{index}]", each, problems))
        else:
            problems.append(FormProblem(f"{path}[{index}]", "must be an object"))
    return found


def require_distinct(parts: Collection[MetaObject], name: str) -> None:
    """Note every object that repeats the value of a member from an earlier object."""
    seen = set()
    for each in parts:
        value = each.members.get(name)
        if isinstance(value, str) and value in seen:
            each.note("must differ from those before it", name)
        elif isinstance(value, str):
            seen.add(value)

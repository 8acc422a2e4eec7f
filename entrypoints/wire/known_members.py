"""
Finds unknown members of a body, for callers that want them refused (C-93, D-150).

A body is read once on trial from objects that record which members their readers access. A member that no
reader accesses is unknown. An object without any accessed member passes to a third party unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from typing import Any

from ...domain.errors import MOST_PROBLEMS, FieldProblem, FormProblem, ValidationFailedError

MOST_OF_A_NAME = 100


class Remembering(dict[str, Any]):
    """
    An object that records which of its members were accessed.

    `complete` means that its reader accessed all members that it knows, so all others are unknown even if
    the object has other problems. Otherwise its reader may have ended early.
    """

    __slots__ = ("asked", "complete")

    def __init__(self, members: Iterable[tuple[str, Any]]) -> None:
        super().__init__(members)
        self.asked: set[str] = set()
        self.complete = False

    def get(self, name: str, default: Any = None) -> Any:
        """Return a member, or the default."""
        self.asked.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        """Return a member."""
        self.asked.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        """Return whether the object has a member."""
        self.asked.add(str(name))
        return super().__contains__(name)


def know(part: Any, names: Iterable[str]) -> None:
    """Mark members of these names as known, although they are not read now."""
    if isinstance(part, Remembering):
        part.asked.update(names)


def know_all(part: Any, names: Iterable[str]) -> None:
    """Mark members of these names as all that are known, whatever else is wrong with the object."""
    know(part, names)
    if isinstance(part, Remembering):
        part.complete = True


def pass_on(part: Any) -> None:
    """Mark all members of an object as known, because it passes on unchanged or is ignored."""
    know(part, part)


def unknown_problems(body: Any, read: Callable[[Any], object]) -> list[FieldProblem]:
    """
    Return the problems of a body with unknown members, including those members.

    Return nothing for a body without unknown members; `read` reports its other problems.
    """
    watched = _remembering(body)
    problems: tuple[FieldProblem, ...] = ()
    try:
        read(watched)
    except ValidationFailedError as refusal:
        problems = refusal.problems
    unknown = list(islice(_unknown(watched, "", ended_early=bool(problems)), MOST_PROBLEMS))
    return [*problems, *unknown] if unknown else []


def unknown_member(path: str, names: Iterable[str] = ()) -> FieldProblem:
    """Return the problem of an unknown member, with the closest of the known `names`."""
    near = get_close_matches(path.rpartition(".")[2], [*names], 1)
    meant = f"; did you mean {near[0]}" if near else ""
    return FormProblem(path, f"is not known here{meant}")


def unknown_members(names: Iterable[str], known: Collection[str] = ()) -> list[FieldProblem]:
    """Return the problems of unknown members of these names, up to the limit of reported problems (D-19)."""
    return [unknown_member(name[:MOST_OF_A_NAME], known) for name in islice(names, MOST_PROBLEMS)]


def _remembering(value: Any) -> Any:
    match value:
        case dict():
            return Remembering((name, _remembering(each)) for name, each in value.items())
        case list():
            return [_remembering(each) for each in value]
        case _:
            return value


def _unknown(value: Any, path: str, *, ended_early: bool) -> Iterator[FieldProblem]:
    match value:
        case Remembering() if value.asked:
            for name, each in value.items():
                # Known names are short, so cutting a name hides no known one.
                shown = name[:MOST_OF_A_NAME]
                at = f"{path}.{shown}" if path else shown
                if name in value.asked:
                    yield from _unknown(each, at, ended_early=ended_early)
                elif value.complete or not ended_early:
                    known = value.asked - value.keys()
                    yield unknown_member(at, known)
        case list():
            for index, each in enumerate(value):
                yield from _unknown(each, f"{path}[{index}]", ended_early=ended_early)

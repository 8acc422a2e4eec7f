"""
Finds unknown members of a body, for callers that prefer to have them refused (C-93, D-150).

A body is read once on trial, from objects that remember which of their members were asked for: a member
of which nobody asks anything has no meaning. An object of which no member was asked for is somebody
else's, and goes on as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from itertools import islice
from typing import Any

from ...domain.errors import MOST_PROBLEMS, FieldProblem, FormProblem, ValidationFailedError

MOST_OF_A_NAME = 100


class Remembering(dict[str, Any]):
    """
    An object that remembers which of its members were asked for.

    `complete` says that all were that there can be: then what is unknown is so even where something
    else is wrong with the object. Otherwise its reader may have ended early.
    """

    __slots__ = ("asked", "complete")

    def __init__(self, members: Iterable[tuple[str, Any]]) -> None:
        super().__init__(members)
        self.asked: set[str] = set()
        self.complete = False

    def get(self, name: str, default: Any = None) -> Any:
        """Return a member, if it is there."""
        self.asked.add(name)
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        """Return a member."""
        self.asked.add(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        """Whether a member is there."""
        self.asked.add(str(name))
        return super().__contains__(name)


def know(part: Any, names: Iterable[str]) -> None:
    """Say that an object may have members of these names, though nobody asks for them now."""
    if isinstance(part, Remembering):
        part.asked.update(names)


def pass_on(part: Any) -> None:
    """Say that an object goes on, or is left alone, as it is, whatever was asked of it."""
    know(part, part)


def unknown_problems(body: Any, read: Callable[[Any], object]) -> list[FieldProblem]:
    """
    Name what is wrong with a body where it has members that nobody knows, and them with it.

    Returns nothing for a body without such members; `read` refuses all other faults.
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
    """Name a member that is unknown, and of the known `names` the one that was meant."""
    near = get_close_matches(path.rpartition(".")[2], [*names], 1)
    meant = f"; did you mean {near[0]}" if near else ""
    return FormProblem(path, f"is not known here{meant}")


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
                # Names that are known are short.
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

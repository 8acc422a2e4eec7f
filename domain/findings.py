"""The problems found in a message template, by their paths and in one order."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from .errors import FieldProblem

_BOUNDARY = re.compile(r"[.\[]")


class Findings:
    """
    Collect problems by their paths, as the kind of problem that spells them like their documentation.

    `unread` are paths without a usable value. The reader of the template has reported them already, so
    no problem is noted at or below them.
    """

    def __init__(
        self,
        unread: Collection[str] = (),
        problem: Callable[[str, str], FieldProblem] = FieldProblem,
    ) -> None:
        self.problems: list[FieldProblem] = []
        self._unread = frozenset(unread)
        self._problem = problem

    def note(self, path: str, message: str) -> None:
        """Add a problem at a path."""
        if self.read(path):
            self.problems.append(self._problem(path, message))

    def read(self, path: str) -> bool:
        """Return whether the value at a path can be checked."""
        if not self._unread:
            return True
        above = (path[: found.start()] for found in _BOUNDARY.finditer(path))
        return path not in self._unread and self._unread.isdisjoint(above)


def check_text(findings: Findings, path: str, text: str, most: int | None = None) -> None:
    """
    Note a text that is blank, or that has more than `most` characters.

    A character is a Unicode code point of the text as given. Nothing is normalised: placeholders count
    as written, and blanks and each part of an emoji count too (D-81).
    """
    if not text.strip():
        findings.note(path, "must not be empty")
    elif most is not None and len(text) > most:
        findings.note(
            path,
            f"must have at most {most} characters, placeholders as they are written;"
            f" it has {len(text)}",
        )


def sorted_by(members: Sequence[str], problems: Iterable[FieldProblem]) -> tuple[FieldProblem, ...]:
    """Sort problems in the documented order of members, and by the position in a template's lists."""
    ranks = {name: rank for rank, name in enumerate(members)}

    def place(problem: FieldProblem) -> list[int]:
        return [
            part if isinstance(part, int) else ranks.get(part, len(ranks)) for part in problem.parts
        ]

    return tuple(sorted(problems, key=place))

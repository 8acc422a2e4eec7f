"""Collects the problems of a body that is read in parts, to report all at once (C-18)."""

from __future__ import annotations

from typing import Any, TypeVar

from ...domain.errors import FieldProblem, ValidationFailedError
from ..wire.structuring import structure

T = TypeVar("T")


class Problems:
    """The problems of all parts, with paths in the whole body."""

    def __init__(self) -> None:
        self.found: list[FieldProblem] = []

    def note(self, path: str, message: str) -> None:
        """Add a wrong field."""
        self.found.append(FieldProblem(path, message))

    def read(self, path: str, part: Any, kind: type[T]) -> T | None:
        """Read the part at a path; add its problems and return None if it is wrong."""
        if part is None:
            self.note(path, "is required")
            return None
        try:
            return structure(part, kind, path)
        except ValidationFailedError as refusal:
            self.found += refusal.problems
            return None

    def refuse(self) -> None:
        """Raise `ValidationFailedError` if there are problems."""
        if self.found:
            raise ValidationFailedError(self.found)

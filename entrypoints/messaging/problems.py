"""What is wrong with a body that is read part by part, all of it at once (C-18)."""

from __future__ import annotations

from typing import Any, TypeVar

from ...domain.errors import FieldProblem, ValidationFailedError
from ..wire.structuring import structure

T = TypeVar("T")


class Problems:
    """Keeps what is wrong with each part; the paths are those of the whole body."""

    def __init__(self) -> None:
        self.found: list[FieldProblem] = []

    def note(self, path: str, message: str) -> None:
        """Keep one wrong field."""
        self.found.append(FieldProblem(path, message))

    def read(self, path: str, part: Any, kind: type[T]) -> T | None:
        """Read the part at a path, or keep what is wrong with it and give nothing."""
        if part is None:
            self.note(path, "is required")
            return None
        try:
            return structure(part, kind, path)
        except ValidationFailedError as refusal:
            self.found += refusal.problems
            return None

    def refuse(self) -> None:
        """Raise `ValidationFailedError` where anything is wrong."""
        if self.found:
            raise ValidationFailedError(self.found)

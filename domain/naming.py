"""Names that people give to things."""

from __future__ import annotations

from .errors import FieldProblem

MAX_LENGTH = 200


def name_problems(name: str) -> list[FieldProblem]:
    """Say what is wrong with a name; nothing when it can be told apart from others at a glance."""
    if name != name.strip() or not 1 <= len(name) <= MAX_LENGTH:
        return [
            FieldProblem(
                "name", f"must have 1 to {MAX_LENGTH} characters and no white space at its ends"
            )
        ]
    return []

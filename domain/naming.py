"""Names that people give to things."""

from __future__ import annotations

from typing import Any

from .errors import FieldProblem

MAX_LENGTH = 200
_RULE = f"must have 1 to {MAX_LENGTH} characters and no white space at its ends"


def name_problems(name: str) -> list[FieldProblem]:
    """Say what is wrong with a name; nothing when it can be told apart from others at a glance."""
    if name != name.strip() or not 1 <= len(name) <= MAX_LENGTH:
        return [FieldProblem("name", _RULE)]
    return []


def a_name(_instance: object, _attribute: object, value: Any) -> None:
    """Check that a text can be a name; None is left alone."""
    if value is not None and name_problems(value):
        raise ValueError(_RULE)

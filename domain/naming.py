"""Names that people give to records."""

from __future__ import annotations

import re
from typing import Any

from .errors import FieldProblem
from .limits import NO_CONTROLS, has_controls

MAX_LENGTH = 200
_RULE = f"must have 1 to {MAX_LENGTH} characters and no white space at its ends"
# These characters turn the direction of writing: two different names could look the same (D-127).
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_NO_TURNING = "must have no characters that turn the direction of writing"


def name_problems(name: str) -> list[FieldProblem]:
    """Return the problems of a name: whatever could make it look like another name."""
    problem = _problem(name)
    return [] if problem is None else [FieldProblem("name", problem)]


def a_name(_instance: object, _attribute: object, value: Any) -> None:
    """Check that a text can be a name. None passes."""
    if value is not None and (problem := _problem(value)) is not None:
        raise ValueError(problem)


def _problem(name: str) -> str | None:
    if name != name.strip() or not 1 <= len(name) <= MAX_LENGTH:
        return _RULE
    if has_controls(name):
        return NO_CONTROLS
    return _NO_TURNING if _TURNING.search(name) else None

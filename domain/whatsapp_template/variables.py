"""Variables of a template's texts: `{{1}}`, `{{2}}` and so on (C-17a)."""

from __future__ import annotations

from collections.abc import Sequence

from ..placeholders import POSITION


def positions(text: str) -> list[int]:
    """Return the number of each variable in a text, repeated ones included, in their order."""
    return [int(found[1]) for found in POSITION.finditer(text)]


def are_well_written(text: str) -> bool:
    """Return whether a text has no braces outside its variables, which could be a misspelt variable."""
    rest = POSITION.sub(" ", text)
    return "{{" not in rest and "}}" not in rest


def filled(text: str, values: Sequence[str]) -> str:
    """Fill in values by position, in one pass; a variable without a value stays."""
    given = {str(position): value for position, value in enumerate(values, start=1)}
    return POSITION.sub(lambda found: given.get(found[1], found[0]), text)

"""Variables of a template's texts: `{{1}}`, `{{2}}` and so on (C-17a)."""

from __future__ import annotations

from collections.abc import Sequence

from ..placeholders import POSITION


def positions(text: str) -> list[int]:
    """Return the number of every variable of a text, as often and in the order that they stand there."""
    return [int(found[1]) for found in POSITION.finditer(text)]


def are_well_written(text: str) -> bool:
    """Whether no braces are left over that somebody may have meant as a variable."""
    rest = POSITION.sub(" ", text)
    return "{{" not in rest and "}}" not in rest


def filled(text: str, values: Sequence[str]) -> str:
    """Fill in values by their positions, in one pass; a variable without one stays as it is."""
    given = {str(position): value for position, value in enumerate(values, start=1)}
    return POSITION.sub(lambda found: given.get(found[1], found[0]), text)

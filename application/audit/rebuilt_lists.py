"""The lists that a rebuild puts right, by name (C-81)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from ...domain.errors import FieldProblem, ValidationFailedError
from ..records import REPLAYED
from ..records.read_model import Row

HOLDERS: Final = "holders"
DUE: Final = "due"
PEOPLE: Final = "people"
STATISTICS: Final = "statistics"
TALLIES: Final = "tallies"
# By the name of the row's class, as differences have it.
READ_MODELS: Final[Mapping[str, tuple[str, type[Row]]]] = {
    each.row.__name__: (each.name, each.row) for each in REPLAYED
}
LISTS: Final = (
    *sorted(name for name, _ in READ_MODELS.values()),
    DUE,
    HOLDERS,
    PEOPLE,
    STATISTICS,
    TALLIES,
)


def lists_named(only: Collection[str]) -> frozenset[str]:
    """Return these lists, or all of them for none; raises `ValidationFailedError` for an unknown name."""
    unknown = sorted(set(only).difference(LISTS))
    if unknown:
        lists = ", ".join(LISTS)
        problem = f"no list is called {unknown[0][:64]}. The lists are {lists}."
        raise ValidationFailedError([FieldProblem("only", problem)])
    return frozenset(only or LISTS)

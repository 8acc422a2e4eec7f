"""The statements that erase a person from what the read models store (C-74)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from attrs import evolve

from ....application.records.read_model import PERSON_ID, Row, has_person
from ....domain.event import ERASED
from ....domain.personal_subjects import PROVIDER_MESSAGE
from .read_model_tables import ROW_TABLES
from .row_table import RowTable
from .sealed_column import MARK, without

R = TypeVar("R", bound=Row)

# Holders of the ids that providers gave: they follow from the number in some providers' ids.
_AFTER = f"{PROVIDER_MESSAGE[:-1]};"


def dropping_holders() -> Sequence[str]:
    """Return the statements that drop the holders of provider ids; each takes the person's id."""
    return [
        "DELETE FROM holders WHERE holder IN"
        f" (SELECT {table.key} FROM {table.name} WHERE {PERSON_ID} = ?)"
        f" AND subject >= '{PROVIDER_MESSAGE}' AND subject < '{_AFTER}'"
        for kind, table in ROW_TABLES.items()
        if has_person(kind)
    ]


def blanking() -> Sequence[str]:
    """
    Return the statements that erase personal members of rows, a bounded number each.

    Each takes the person's id and the bound. The marks of sealed columns stay: they say which members
    there were.
    """
    return [
        _blanking(table)
        for kind, table in ROW_TABLES.items()
        if table.personal is not None and has_person(kind)
    ]


def _blanking(table: RowTable[Any]) -> str:
    sealed = [] if table.personal is None else [each.name for each in table.personal.sealed]
    findable = () if table.personal is None else table.personal.findable
    changes = [f"{each} = substr({each}, 1, {MARK})" for each in sealed]
    changes += [f"{each} = NULL" for each in findable]
    left = [f"length({each}) > {MARK}" for each in sealed]
    left += [f"{each} IS NOT NULL" for each in findable]
    return (
        f"UPDATE {table.name} SET {', '.join(changes)} WHERE {table.key} IN"
        f" (SELECT {table.key} FROM {table.name} WHERE {PERSON_ID} = ? AND ({' OR '.join(left)})"
        " LIMIT ?)"
    )


def erased_row(row: R) -> R:
    """Return a row without its personal members, as a store on disk reads it after an erasure."""
    personal = ROW_TABLES[type(row)].personal
    if personal is None:
        return row
    erased: dict[str, Any] = {}
    for column in personal.sealed:
        mark = f"{column.members(row).mark:0{MARK}x}"
        erased |= {name: without(getattr(row, name), inner) for name, inner in column.within}
        column.put_back(erased, mark, {}, ERASED)
    return evolve(row, **erased)


def is_of_provider(subject: str) -> bool:
    """Return whether a subject is the id that a provider gave."""
    return subject.startswith(PROVIDER_MESSAGE)

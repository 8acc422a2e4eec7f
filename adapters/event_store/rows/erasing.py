"""The statements that erase a person from what the read models store (C-74)."""

from __future__ import annotations

from collections.abc import Sequence

from ....application.records.read_model import Row
from ....domain.personal_subjects import PROVIDER_MESSAGE
from .read_model_tables import ROW_TABLES

PERSON_ID = "person_id"
# Holders of the ids that providers gave: they follow from the number in some providers' ids.
_AFTER = f"{PROVIDER_MESSAGE[:-1]};"


def has_person(kind: type[Row]) -> bool:
    """Return whether rows of a read model are about a person."""
    return PERSON_ID in ROW_TABLES[kind].shape.columns


def dropping_holders() -> Sequence[str]:
    """Return the statements that drop the holders of provider ids; each takes the person's id."""
    return [
        "DELETE FROM holders WHERE holder IN"
        f" (SELECT {table.key} FROM {table.name} WHERE {PERSON_ID} = ?)"
        f" AND subject >= '{PROVIDER_MESSAGE}' AND subject < '{_AFTER}'"
        for kind, table in ROW_TABLES.items()
        if has_person(kind)
    ]


def is_of_provider(subject: str) -> bool:
    """Return whether a subject is the id that a provider gave."""
    return subject.startswith(PROVIDER_MESSAGE)

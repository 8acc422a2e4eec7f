"""Refuses stores whose tables another release made (C-100)."""

from __future__ import annotations

from ....application.ports.event_store import StoreUnavailable
from ..rows.tables import SCHEMA_VERSION


def check_schema(version: str | None, store: str) -> None:
    """
    Raise `StoreUnavailable` unless this release reads the tables of a store.

    `version` is what the store says, None for a new one; `store` names it at the start of a sentence.
    """
    if version is None or version == str(SCHEMA_VERSION):
        return
    if version.isdecimal() and int(version) < SCHEMA_VERSION:
        raise StoreUnavailable(
            f"{store} was written by a development version before 0.1, with schema {version}."
            f" This release reads schema {SCHEMA_VERSION}, and has no way over, because none of those"
            " versions was released. Begin with a new store."
        )
    raise StoreUnavailable(f"{store} belongs to another release of Watchword.")

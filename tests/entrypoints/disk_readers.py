"""What somebody finds who has the disk, the code key and time: all keys, and whatever these open."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import psycopg
from attrs import frozen

from watchword.adapters.event_store.log.lines import lines_of, owner_of, sealed_texts
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.adapters.event_store.rows.sealed_column import has_members
from watchword.adapters.vault import Vault
from watchword.application.ports.sealer import SealBrokenError, SealKey
from watchword.application.records.read_model import ACCOUNT_ID, PERSON_ID

Select = Callable[[str], Sequence[tuple[Any, ...]]]


def sqlite_rows(path: Path) -> Select:
    """Return the rows of a SQLite store."""

    def select(statement: str) -> Sequence[tuple[Any, ...]]:
        with closing(connect(path)) as connection:
            return connection.execute(statement).fetchall()

    return select


def postgres_rows(url: str) -> Select:
    """Return the rows of a PostgreSQL store."""

    def select(statement: str) -> Sequence[tuple[Any, ...]]:
        with psycopg.connect(url) as connection:
            return connection.execute(statement.encode()).fetchall()

    return select


def rows_of(select: Select, table: str, *columns: str) -> Sequence[tuple[Any, ...]]:
    """Return the rows of a table, with all columns unless some are named."""
    return select(f"SELECT {', '.join(columns or '*')} FROM {table}")  # noqa: S608  our own names


@frozen
class SealedText:
    """A sealed text of an event or a row, and how a key opens it."""

    owner: str
    open: Callable[[Vault, SealKey], object]


def wrapped_keys(select: Select) -> Mapping[str, SealKey]:
    """Return all keys of a store, by their owners."""
    stored = (
        *rows_of(select, "people", "person", "key_version", "wrapped_key"),
        *rows_of(select, "seal_keys", "name", "version", "wrapped"),
    )
    return {name: SealKey(name, version, bytes(wrapped)) for name, version, wrapped in stored}


def all_texts(select: Select) -> Sequence[SealedText]:
    """Return all sealed texts of a store."""
    return [*_texts_of_events(select), *_texts_of_rows(select)]


def opened(
    texts: Iterable[SealedText], keys: Mapping[str, SealKey], vault: Vault
) -> Sequence[SealedText]:
    """Try all keys on all texts; return those that open."""
    return [text for text in texts if any(_opens(text, key, vault) for key in keys.values())]


def _opens(text: SealedText, key: SealKey, vault: Vault) -> bool:
    try:
        text.open(vault, key)
    except SealBrokenError:
        return False
    return True


def _texts_of_events(select: Select) -> Iterator[SealedText]:
    for stream, state in rows_of(select, "stored_events", "originator_id", "state"):
        lines = lines_of(bytes(state))
        envelope = json.loads(lines.open)
        owner = owner_of(stream, envelope["account"], envelope.get("person"))
        texts = sealed_texts(lines.sealed, owner) if lines.sealed else {}
        for whose, text in texts.items():
            yield SealedText(whose, _opener(envelope["id"], text))


def _opener(name: str, text: str) -> Callable[[Vault, SealKey], object]:
    return lambda vault, key: vault.open(key, name, text)


def _texts_of_rows(select: Select) -> Iterator[SealedText]:
    for table in ROW_TABLES.values():
        for column in table.personal.sealed if table.personal else ():
            owners = ", ".join(
                each for each in (PERSON_ID, ACCOUNT_ID) if each in table.shape.columns
            )
            columns = (table.key, column.name, f"COALESCE({owners}, NULL)")
            for row_key, text, owner in rows_of(select, table.name, *columns):
                if has_members(text):
                    yield SealedText(owner, _row_opener(column, text, row_key))


def _row_opener(column: Any, text: str, row_key: str) -> Callable[[Vault, SealKey], object]:
    return lambda vault, key: column.opened(text, vault, key, row_key)

"""The tables beside log and read models: for conditions, due rows, keys and settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    Float,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
)

from .column_types import INTEGER, TEXT

# Increased when a release changes a table other than by columns that may be empty, which are added to the
# tables of earlier ones (D-495); a store with another version is not opened.
SCHEMA_VERSION = 3
SCHEMA_SETTING = "schema"

metadata = MetaData()

uses = Table(
    "uses",
    metadata,
    Column("subject", TEXT, nullable=False),
    Column("number", INTEGER, nullable=False),
    Column("at", TEXT, nullable=False),
    PrimaryKeyConstraint("subject", "number"),
    sqlite_with_rowid=False,
)
holders = Table(
    "holders",
    metadata,
    Column("subject", TEXT, nullable=False),
    Column("holder", TEXT, nullable=False),
    PrimaryKeyConstraint("subject", "holder"),
    Index("holders_by_holder", "holder"),
    sqlite_with_rowid=False,
)
idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("scope", TEXT, primary_key=True),
    Column("fingerprint", TEXT, nullable=False),
    Column("owner", TEXT, nullable=False),
    Column("lease_until", Float, nullable=False),
    Column("taken_at", TEXT, nullable=False, index=True),
    Column("answer", LargeBinary),
    Column("person", TEXT),
    Index("idempotency_keys_by_person", "person"),
)
due = Table(
    "due",
    metadata,
    Column("kind", TEXT, nullable=False),
    Column("stream", TEXT, nullable=False),
    Column("number", INTEGER, nullable=False),
    Column("at", TEXT, nullable=False),
    PrimaryKeyConstraint("kind", "stream", "number"),
    Index("due_by_time", "kind", "at", "stream", "number"),
    sqlite_with_rowid=False,
)
seal_keys = Table(
    "seal_keys",
    metadata,
    Column("name", TEXT, nullable=False),
    Column("version", INTEGER, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),
    PrimaryKeyConstraint("name"),
    Index("seal_keys_by_version", "version"),
    sqlite_with_rowid=False,
)
people = Table(
    "people",
    metadata,
    Column("hmac", TEXT, nullable=False),
    Column("account", TEXT, nullable=False),
    Column("person", TEXT, nullable=False),
    Column("wrapped_key", LargeBinary, nullable=False),
    Column("key_version", INTEGER, nullable=False),
    Column("verified_at", TEXT),
    PrimaryKeyConstraint("hmac"),
    Index("people_by_person", "person", unique=True),
    Index("people_by_key_version", "key_version", "person"),
    sqlite_with_rowid=False,
)
# `until` is the second from which no window reaches the bucket.
tallies = Table(
    "tallies",
    metadata,
    Column("subject", TEXT, nullable=False),
    Column("bucket", INTEGER, nullable=False),
    Column("sent", INTEGER, nullable=False),
    Column("verified", INTEGER, nullable=False),
    Column("until", INTEGER, nullable=False),
    PrimaryKeyConstraint("subject", "bucket"),
    Index("tallies_by_until", "until"),
    sqlite_with_rowid=False,
)
positions = Table(
    "positions",
    metadata,
    Column("name", TEXT, nullable=False),
    Column("position", INTEGER, nullable=False),
    PrimaryKeyConstraint("name"),
    sqlite_with_rowid=False,
)
# The hashes over the log: full tiles, and the unfinished tile of every level (D-420).
log_tiles = Table(
    "log_tiles",
    metadata,
    Column("level", INTEGER, nullable=False),
    Column("tile", INTEGER, nullable=False),
    Column("hashes", LargeBinary, nullable=False),
    PrimaryKeyConstraint("level", "tile"),
)
# `at` is the machine's time of the signature.
log_heads = Table(
    "log_heads",
    metadata,
    Column("size", INTEGER, primary_key=True, autoincrement=False),
    Column("origin", TEXT, nullable=False),
    Column("root", LargeBinary, nullable=False),
    Column("at", TEXT, nullable=False),
    Column("note", TEXT, nullable=False),
)
settings = Table(
    "settings",
    metadata,
    Column("name", TEXT, primary_key=True),
    Column("value", TEXT, nullable=False),
)


def added_columns(table: Table, found: Collection[str]) -> Sequence[Column[Any]]:
    """
    Return the columns that a table of an earlier release lacks; `found` are those that it has.

    None for a table that is not there, or that misses what no row can be without.
    """
    missing = [column for column in table.columns if column.name not in found]
    return missing if found and all(column.nullable for column in missing) else []

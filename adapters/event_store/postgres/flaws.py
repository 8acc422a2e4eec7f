"""Differences of a PostgreSQL store from the schema and settings of this release (C-91)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from psycopg.rows import tuple_row
from sqlalchemy import Table

from ....application.ports.snapshot import Flaw
from ..sql.definitions import differences, missing, unknown
from .connections import DURABILITY, Connection, settings_off
from .schema import DIALECT, TABLES

_SCHEMA = "quote_ident(current_schema())::regnamespace"
_COLUMNS = f"""
    SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = {_SCHEMA} AND c.relkind IN ('r', 'p') AND a.attnum > 0
    AND NOT a.attisdropped ORDER BY a.attnum
"""
_INDEXES = f"""
    SELECT i.relname, t.relname, x.indisunique, x.indpred IS NOT NULL, x.indisvalid,
    (SELECT array_agg(a.attname::text ORDER BY k.place) FROM unnest(x.indkey)
     WITH ORDINALITY AS k(number, place)
     JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.number)
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
    WHERE t.relnamespace = {_SCHEMA} AND t.relkind IN ('r', 'p')
"""
_TRIGGERS = f"""
    SELECT c.relname || '.' || g.tgname FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
    WHERE c.relnamespace = {_SCHEMA} AND NOT g.tgisinternal
"""
_RULES = f"""
    SELECT c.relname || '.' || r.rulename FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
    WHERE c.relnamespace = {_SCHEMA} AND c.relkind IN ('r', 'p')
"""
# Relations that are not tables, and tables whose rows a policy can hide.
_RUNNING = f"""
    SELECT c.relname, CASE WHEN c.relkind IN ('r', 'p') THEN 'row security' ELSE 'not a table' END
    FROM pg_class c WHERE c.relnamespace = {_SCHEMA}
    AND (c.relkind IN ('v', 'm', 'f') OR c.relrowsecurity)
"""
_CATALOGUE = {"varchar": "character varying", "float": "double precision"}


def postgres_flaws(connection: Connection) -> list[Flaw]:
    """Compare the store's schema with this release's."""
    cursor = connection.cursor(row_factory=tuple_row)

    def rows(question: str) -> Sequence[Any]:
        return cursor.execute(question.encode()).fetchall()

    columns: dict[str, dict[str, str]] = {}
    for table, column, kind, required in rows(_COLUMNS):
        columns.setdefault(table, {})[column] = _column(kind, required=required)
    indexes = {
        name: _index(table, unique=unique, partial=partial, columns=of)
        + ("" if valid else " broken")
        for name, table, unique, partial, valid, of in rows(_INDEXES)
    }
    (durable,) = rows(DURABILITY)
    tables = {table.name for table in TABLES}
    return [
        *(
            Flaw("Table", name, "kind", "table", found, runs=True)
            for name, found in rows(_RUNNING)
            if name in tables
        ),
        *_table_flaws({table.name: _columns_of(table) for table in TABLES}, columns),
        *differences("Index", _indexes_of(TABLES), indexes),
        *(unknown("Trigger", name) for (name,) in rows(_TRIGGERS)),
        *(unknown("Rule", name) for (name,) in rows(_RULES)),
        *(Flaw("Setting", name, "", "on", "off") for name in settings_off(durable)),
    ]


def _table_flaws(
    wanted: Mapping[str, Mapping[str, str]], found: Mapping[str, Mapping[str, str]]
) -> Iterator[Flaw]:
    for name in sorted(wanted.keys() | found.keys()):
        if name not in wanted:
            yield unknown("Table", name)
        elif name not in found:
            yield missing("Table", name)
        else:
            yield from differences("Column", wanted[name], found[name], f"{name}.")


def _columns_of(table: Table) -> dict[str, str]:
    return {
        each.name: _column(_kind(str(each.type.compile(DIALECT))), required=not each.nullable)
        for each in table.columns
    }


def _kind(compiled: str) -> str:
    """Return a type's name in the database's catalogue."""
    kind = compiled.partition(" COLLATE")[0].lower()
    return _CATALOGUE.get(kind, kind)


def _indexes_of(tables: Sequence[Table]) -> dict[str, str]:
    made = {
        str(index.name): _index(
            table.name,
            unique=bool(index.unique),
            partial=bool(index.info),
            columns=[each.name for each in index.columns],
        )
        for table in tables
        for index in table.indexes
    }
    keys = {
        f"{table.name}_pkey": _index(
            table.name,
            unique=True,
            partial=False,
            columns=[each.name for each in table.primary_key.columns],
        )
        for table in tables
    }
    return {**made, **keys}


def _column(kind: str, *, required: bool) -> str:
    return f"{kind}{' not null' if required else ''}"


def _index(table: str, *, unique: bool, partial: bool, columns: Sequence[str]) -> str:
    which = f"{'unique ' if unique else ''}on {table} ({', '.join(columns)})"
    return f"{which}{' of some rows' if partial else ''}"

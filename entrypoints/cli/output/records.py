"""Prints records: as JSON for programs, or as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from ..service.records import OWNER, Column, Kind, Record
from .json_text import echo_json
from .tables import echo_table


def echo_record(kind: Kind, record: Record, as_json: bool) -> None:
    """Print one record."""
    if as_json:
        echo_json(record)
    else:
        _echo_table(kind, [record], {})


def echo_with_secret(member: str, kind: Kind, record: Record, as_json: bool) -> None:
    """Print a new record: its secret `member` alone goes to the standard output."""
    if as_json:
        echo_json(record)
        return
    _echo_table(kind, [record], {}, err=True)
    click.echo(f"\nThe {member}, which is not shown again:", err=True)
    click.echo(record[member])


def echo_records(
    kind: Kind, records: Sequence[Record], as_json: bool, names: Mapping[str, str] | None = None
) -> None:
    """Print records; `names` are those of accounts, by their ids."""
    if as_json:
        echo_json(records)
    else:
        _echo_table(kind, records, names or {})


def _echo_table(
    kind: Kind, records: Sequence[Record], names: Mapping[str, str], *, err: bool = False
) -> None:
    def cell(record: Record, column: Column) -> Any:
        if not isinstance(column, str):
            return column(record)
        if column == OWNER:
            return names.get(record[column], record[column])
        return record.get(column)

    rows = [[cell(each, column) for column in kind.columns.values()] for each in records]
    echo_table([*kind.columns], rows, err=err)

"""Prints long lists of rows: as JSON one after the other, or the first of them as a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice

import click

from ..service.records import Kind
from .json_text import not_steering
from .records import echo_records

_IN_A_TABLE = 100


def echo_rows(kind: Kind, rows: Iterator[str], limit: int | None, as_json: bool) -> None:
    """
    Print rows, which are texts of JSON; only the rows of a table are in memory together.

    Without a `limit`, a table has the first hundred, and says if there are more.
    """
    if as_json:
        _echo_json(islice(rows, limit))
        return
    shown = list(islice(rows, limit or _IN_A_TABLE))
    echo_records(kind, [json.loads(each) for each in shown], as_json=False)
    if limit is None and next(rows, None) is not None:
        click.echo("\nand more: --limit shows so many, --json shows all", err=True)


def _echo_json(rows: Iterator[str]) -> None:
    click.echo('{"data": [', nl=False)
    for number, each in enumerate(rows):
        click.echo(f"{',' if number else ''}\n  {not_steering(each)}", nl=False)
    click.echo("\n]}")

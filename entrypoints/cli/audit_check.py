"""`watchword audit check`: the read models beside a replay of the log (C-38)."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any

import click

from ...application.audit.checking import Checked
from ..codec import encode
from .connecting import at_a_store
from .failures import expected_failures
from .options import json_option
from .place import Place
from .printing import echo_json
from .progress import progress
from .tables import echo_table, words


@click.command(
    short_help="Compare the read models with the log.",
    epilog="""\b
Examples:
  watchword audit check
  watchword audit check --data-dir /var/lib/watchword
  watchword audit check --json --store sqlite:////backup/watchword.db
""",
)
@at_a_store
@json_option
@click.pass_context
def check(context: click.Context, place: Place, as_json: bool) -> None:
    """
    Replay everything and compare it with what lists, searches and rules go by.

    Looked at are the file itself, the order and form of all events, the row of every stream, and
    who holds which live code, name and key, all as of one moment, beside a running service too.
    The exit status is 0 when everything is as the log says, 1 when something is not. Personal data
    and hashes read ***.
    """

    async def run() -> Checked:
        with progress("events") as told:
            async with place.reading() as reader:
                return await reader.check(told)

    with expected_failures():
        checked = asyncio.run(run())
    if as_json:
        echo_json(checked)
    else:
        _echo(checked)
    context.exit(1 if checked.total else 0)


def _echo(checked: Checked) -> None:
    if not checked.total:
        click.echo(
            f"Everything is as the log says: {checked.events} events of {checked.streams} streams."
        )
        return
    echo_table(
        ("what", "id", "field", "expected", "found"),
        [
            (
                words(each.what),
                each.id,
                words(each.field.replace("_", " ")),
                _shown(each.expected),
                _shown(each.found),
            )
            for each in checked.differences
        ],
        title=f"{checked.total} {'difference' if checked.total == 1 else 'differences'}\n",
    )
    more = checked.total - len(checked.differences)
    if more:
        click.echo(f"\nand {more} more")


def _shown(value: Any) -> Any:
    """Give a value to the last of its digits: what looks the same must be the same."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict | tuple):
        return encode(value).decode()
    return "nothing" if value is None else value

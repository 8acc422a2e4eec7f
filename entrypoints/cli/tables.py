"""Tables that a terminal can show and a program can cut: plain and whole when nobody watches."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

# Wide enough that no line is broken where no terminal sets a width.
_UNBROKEN = 10_000
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# What of a record in a list tells it apart from its neighbours.
_TELLING = ("channel", "channelType", "status", "errorCode")


def echo_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str | None = None,
    err: bool = False,
) -> None:
    """Print rows under headings; nothing is cut, but long cells are folded on a terminal."""
    stream = sys.stderr if err else sys.stdout
    watched = stream.isatty()
    table = Table(box=box.SIMPLE_HEAD if watched else None, show_edge=False, pad_edge=False)
    for number, column in enumerate(columns):
        # What a row is called by stands first, and is copied from there: it is folded last.
        table.add_column(Text(column), overflow="fold", no_wrap=number == 0)
    for row in rows:
        table.add_row(*(Text(brief(cell)) for cell in row))
    console = Console(file=stream, force_terminal=watched, width=None if watched else _UNBROKEN)
    with console.capture() as captured:
        console.print(table)
    if title is not None:
        click.echo(title, err=err)
    for line in captured.get().splitlines():
        click.echo(line.rstrip(), err=err)


def fields(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Give what a record says, name by name in plain words, without what is empty."""
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from fields(value, f"{prefix}{name}.")
        elif value not in (None, [], ""):
            yield words(f"{prefix}{name}"), value


def words(name: str) -> str:
    """Give a documented name in plain words: `attemptsRemaining` becomes `attempts remaining`."""
    return _HUMP.sub(" ", name.replace(".", " ")).lower()


def brief(value: Any) -> str:
    """Give a value in few words, in which nothing can steer a terminal."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return " ".join(brief(value[name]) for name in _TELLING if value.get(name))
    if isinstance(value, list | tuple):
        return ", ".join(brief(each) for each in value)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(value))

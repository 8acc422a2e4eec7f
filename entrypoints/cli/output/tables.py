"""Prints tables: fitted to a terminal, or plain and whole in a pipe."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import click
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

# Wide enough that no line is broken when there is no terminal.
_UNBROKEN = 10_000
# Between two columns, and before the lines below a row.
_GAP = 3
_INDENT = "    "
# The least width in which a folded text reads well.
_ROOM = 24
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# The members that distinguish a record in a list from its neighbours.
_TELLING = ("channel", "channelType", "status", "errorCode", "error_code")


def echo_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str | None = None,
    err: bool = False,
) -> None:
    """
    Print rows under headings, uncut; in a pipe each row is one line.

    On a narrow terminal, the columns that do not fit are printed below each row, with their names.
    The first column identifies a row: users copy from it.
    """
    stream = sys.stderr if err else sys.stdout
    watched = stream.isatty()
    console = Console(file=stream, force_terminal=watched, width=None if watched else _UNBROKEN)
    texts = [[brief(cell) for cell in row] for row in rows]
    if title is not None:
        click.echo(title, err=err)
    fit = _fitting(columns, texts, console.width) if watched else len(columns)
    if fit == len(columns):
        for line in _shown(console, columns, texts):
            click.echo(line, err=err)
        return
    heading, rule, *shown = _shown(console, columns[:fit], [row[:fit] for row in texts])
    click.echo(f"{heading}\n{rule}", err=err)
    # A first column that is wider than the terminal is folded into several lines.
    per_row = [len(_folded(row[0], console.width)) if fit == 1 else 1 for row in texts]
    for row, height in zip(texts, per_row, strict=True):
        for line in (*shown[:height], *_below(columns[fit:], row[fit:], console.width)):
            click.echo(line, err=err)
        del shown[:height]


def _shown(
    console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]]
) -> Sequence[str]:
    table = Table(
        box=box.SIMPLE_HEAD if console.is_terminal else None, show_edge=False, pad_edge=False
    )
    for number, column in enumerate(columns):
        # All other columns are folded before the first one is.
        table.add_column(Text(column), overflow="fold", no_wrap=number == 0 < len(columns) - 1)
    for row in rows:
        table.add_row(*map(Text, row))
    with console.capture() as captured:
        console.print(table)
    return [line.rstrip() for line in captured.get().splitlines()]


def _fitting(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> int:
    """Return how many columns fit beside each other; the last one may be folded."""
    widest = [
        max(cell_len(cell) for cell in (column, *(row[number] for row in rows)))
        for number, column in enumerate(columns)
    ]
    before = list(accumulate((each + _GAP for each in widest), initial=0))
    last = len(columns) - 1
    if before[last] + min(widest[last], _ROOM) <= width:
        return len(columns)
    return max(1, next(number for number in range(last, -1, -1) if before[number] - _GAP <= width))


def _below(columns: Sequence[str], cells: Sequence[str], width: int) -> Iterator[str]:
    """Yield lines with the name and the cell of each column of a row; empty cells are left out."""
    room = width - len(_INDENT)
    line = ""
    for name, cell in zip(columns, cells, strict=True):
        said = f"{name} {cell}" if cell else ""
        if line and said and cell_len(line) + 2 + cell_len(said) > room:
            yield from (f"{_INDENT}{each}" for each in _folded(line, room))
            line = said
        else:
            line = "; ".join(filter(None, (line, said)))
    if line:
        yield from (f"{_INDENT}{each}" for each in _folded(line, room))


def _folded(text: str, width: int) -> Sequence[str]:
    lines = Text(text).wrap(Console(width=width), width, overflow="fold")
    return [line.plain.rstrip() for line in lines]


def fields(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """
    Yield the members of a record, each with its name in plain words; skip empty ones.

    Settings of a provider have the names that a config needs: `config.body.to`.
    """
    for name, value in record.items():
        if isinstance(value, Mapping):
            yield from fields(value, f"{prefix}{name}.")
        elif value not in (None, [], ""):
            path = f"{prefix}{name}"
            yield path if path.startswith("config.") else words(path), value


def words(name: str) -> str:
    """Return a documented name in plain words: `attemptsRemaining` becomes `attempts remaining`."""
    return _HUMP.sub(" ", name.replace(".", " ")).lower()


def brief(value: Any) -> str:
    """Return a value as a short text in which nothing can steer a terminal."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        telling = [brief(value[name]) for name in _TELLING if value.get(name)]
        return " ".join(telling or (f"{name} {brief(each)}" for name, each in fields(value)))
    if isinstance(value, list | tuple):
        return ", ".join(brief(each) for each in value)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(value))

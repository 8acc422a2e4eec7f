"""Prints the statistics as a table that fits 80 columns, with bars (C-80)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import click
from attrs import frozen

from .tables import brief

WIDTH = 80
_GAP = "  "
# A member of a group is cut to this length; JSON and CSV have it whole.
_LONGEST_MEMBER = 18
_LEAST_BAR, _LONGEST_BAR = 6, 20

Row = Mapping[str, Any]


@frozen
class _Column:
    """A column: its heading, and the text of a row's cell."""

    heading: str
    text: Callable[[Row], str]


def figures_table(rows: Sequence[Row], group: str | None) -> list[str]:
    """Return the lines of a table; a figure that is zero everywhere has no column."""
    first = [_Column("at", _at)]
    if group is not None:
        first.append(_Column(group, lambda row: _cut(brief(row[group]) or "-")))
    figures = [each for each in _FIGURES if any(each.text(row) not in _NOTHING for row in rows)]
    kept, left_out, room = _fitting(rows, first, figures)
    widths = [_width(rows, each) for each in (*first, *kept)]
    lines = [
        _line([each.heading for each in (*first, *kept)], widths, len(first)) + _GAP + "of sent"
    ]
    for row in rows:
        cells = [each.text(row) for each in (*first, *kept)]
        lines.append(f"{_line(cells, widths, len(first))}{_GAP}{_bar(row, room)}".rstrip())
    if left_out:
        named = ", ".join(each.heading for each in left_out)
        lines.append(f"In --csv, too: {named}.")
    return lines


def echo_figures(rows: Sequence[Row], group: str | None) -> None:
    """Print the table, or that there is nothing in it."""
    if not rows:
        click.echo("Nothing was sent in this range. Look at another one with --from and --to.")
        return
    for line in figures_table(rows, group):
        click.echo(line)


def _fitting(
    rows: Sequence[Row], first: Sequence[_Column], figures: Sequence[_Column]
) -> tuple[list[_Column], list[_Column], int]:
    """Return the columns that fit beside a bar, the others, and the length of the bar."""
    percent = len(" 100 %")
    used = sum(_width(rows, each) + len(_GAP) for each in first) + percent
    kept: list[_Column] = []
    for each in figures:
        width = _width(rows, each) + len(_GAP)
        if used + width + _LEAST_BAR > WIDTH:
            break
        kept.append(each)
        used += width
    return kept, [*figures[len(kept) :]], min(WIDTH - used, _LONGEST_BAR)


def _width(rows: Sequence[Row], column: _Column) -> int:
    return max(len(column.heading), *(len(column.text(row)) for row in rows))


def _line(cells: Sequence[str], widths: Sequence[int], texts: int) -> str:
    """Return cells beside each other: texts to the left, numbers to the right."""
    return _GAP.join(
        cell.ljust(width) if number < texts else cell.rjust(width)
        for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )


def _bar(row: Row, length: int) -> str:
    """Return the part of the sends that was verified, as a bar and in percent."""
    if not row["sent"]:
        return ""
    part = row["verified"] / row["sent"]
    mark = "█" if (sys.stdout.encoding or "").lower().startswith("utf") else "#"
    return f"{mark * round(part * length):<{length}} {100 * part:3.0f} %"


def _at(row: Row) -> str:
    day, _, time = row["at"].partition("T")
    return day if row["at"].endswith("T00:00:00.000Z") else f"{day} {time[:5]}"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_MEMBER else f"{text[: _LONGEST_MEMBER - 1]}…"


def _number(name: str) -> Callable[[Row], str]:
    return lambda row: f"{row[name]:,}"


def _seconds(name: str) -> Callable[[Row], str]:
    def text(row: Row) -> str:
        seconds = row["secondsToVerify"][name]
        return "" if seconds is None else f"{seconds:,} s"

    return text


def _cost(row: Row) -> str:
    return " + ".join(cost_texts(row))


def cost_texts(row: Row) -> list[str]:
    """Return the amounts of a row with their currencies; a tilde stands before an estimate."""
    return [
        f"{'~' if each['estimated'] else ''}{each['amount']} {each['currency']}"
        for each in row.get("cost", ())
    ]


_NOTHING = ("", "0")
# In the order in which they get room.
_FIGURES = (
    _Column("sent", _number("sent")),
    _Column("verified", _number("verified")),
    _Column("expired", _number("expired")),
    _Column("blocked", _number("blocked")),
    _Column("refused", _number("refused")),
    _Column("p95", _seconds("p95")),
    _Column("cost", _cost),
    _Column("accepted", _number("accepted")),
    _Column("delivered", _number("delivered")),
    _Column("test", _number("test")),
    _Column("p50", _seconds("p50")),
)

"""CSV for spreadsheets: they show every text, and run none."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watchword.entrypoints.cli.output.csv_cells import cell, lines


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, ""),
        ("", ""),
        ("tea", "tea"),
        (5, "5"),
        ("a=b", "a=b"),
        ("order-4711", "order-4711"),
        ("+919812345610", "+919812345610"),
        ("=1+1", "'=1+1"),
        ("+1+1", "'+1+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1+1", "'  =1+1"),
        ("\t=1", "'\t'=1"),
        ("\rtea", "'\rtea"),
        ("\ntea", "'\ntea"),
        ("+9198******10", "'+9198******10"),
        ("+91 98123", "'+91 98123"),
        ("+", "'+"),
        ("\u00a0=1", "'\u00a0=1"),
        ("\x0b=1", "'\x0b=1"),
        ("\ufeff@A1", "'\ufeff@A1"),
        ("\u2212" + "1", "'\u2212" + "1"),
        ("＝1+1", "'＝1+1"),  # noqa: RUF001  full width is meant
        ("tea;=cmd|' /C calc'!A0", "tea;'=cmd|' /C calc'!A0"),
        ("tea\n@SUM(A1)", "tea\n'@SUM(A1)"),
    ],
)
def test_what_would_be_a_formula_begins_with_an_apostrophe(value: Any, shown: str) -> None:
    """A plain phone number is none, and stays as it is."""
    assert shown == cell(value)


@given(st.lists(st.lists(st.text(st.characters(exclude_categories=["Cs"]))), max_size=4))
def test_whatever_is_written_is_read_again(rows: list[list[str]]) -> None:
    """Quotes, commas and line breaks included; only apostrophes were put in."""
    read = list(csv.reader(io.StringIO(lines(rows).decode(), newline="")))
    given = [[text.replace("'", "") for text in row] for row in rows]

    assert given == [[text.replace("'", "") for text in row] for row in read]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_cell_begins_as_a_formula(text: str) -> None:
    """Only plain phone numbers begin with a sign."""
    shown = cell(text)

    assert not shown.startswith(("=", "-", "@", "\t", "\r", "\n"))
    assert not shown.startswith("+") or shown[1:].isdecimal()

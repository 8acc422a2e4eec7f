"""CSV cells that a spreadsheet shows, but never runs as formulas (D-80)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

# A spreadsheet reads a plain phone number at worst as a number; a program reads it whole.
_PHONE = re.compile(r"\+[0-9]{1,64}")
# The characters that may begin a formula, also in full width, and after invisible blanks. A semicolon
# or a tab begins a new cell in the spreadsheets of some countries.
_FORMULA = re.compile(
    r"(^|[;\t\r\n])([^\S\t\r\n]*[\0\u200b-\u200f\ufeff]*[^\S\t\r\n]*)(?=[=+\-@＝＋－＠﹦﹢﹣\u2212])"  # noqa: RUF001  other widths are meant
)
_BLANK = ("\t", "\r", "\n")


def cell(value: Any) -> str:
    """Return a value as text, with an apostrophe before anything that could be a formula."""
    text = "" if value is None else str(value)
    if _PHONE.fullmatch(text):
        return text
    text = _FORMULA.sub(r"\1'\2", text)
    return f"'{text}" if text.startswith(_BLANK) else text


def lines(rows: Iterable[Sequence[Any]]) -> bytes:
    """Return rows as lines of RFC 4180, in UTF-8."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows(map(cell, row) for row in rows)
    return written.getvalue().encode()

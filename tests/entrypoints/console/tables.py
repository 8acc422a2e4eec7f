"""The tables of a page, as a person reads them."""

from __future__ import annotations

import re

from tests.entrypoints.console.visitor import Shown

_TABLE = re.compile(r"<caption[^>]*>(.*?)</caption>(.*?)</table>", re.S)
_ROW = re.compile(r"<tr[^>]*>(.*?)</tr>", re.S)
_CELL = re.compile(r"<t[dh][^>]*>(.*?)</t[dh]>", re.S)
_TAG = re.compile(r"<[^>]*>")


def tables(page: Shown) -> dict[str, list[list[str]]]:
    """Return the tables of a page by their captions: the texts of their cells, row by row."""
    return {
        _text(caption): [[_text(cell) for cell in _CELL.findall(row)] for row in _ROW.findall(body)]
        for caption, body in _TABLE.findall(page.html)
    }


def _text(html: str) -> str:
    return " ".join(_TAG.sub(" ", html).split())

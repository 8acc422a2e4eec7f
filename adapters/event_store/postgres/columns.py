"""
Columns as JSON arrays, which the server expands to rows.

The driver would adapt every value by itself, also in PostgreSQL's own arrays. With the driver's
cursors, that was nearly half of a batch's work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from psycopg import DataError
from sqlalchemy import BigInteger, Boolean, Column, Float, Integer, LargeBinary
from sqlalchemy.types import TypeEngine

_encode = msgspec.json.Encoder().encode
_VALUES: dict[type[TypeEngine[Any]], str] = {
    BigInteger: "given.{}::bigint",
    Integer: "given.{}::bigint",
    Float: "given.{}::float8",
    Boolean: "given.{}::boolean",
    LargeBinary: "decode(given.{}, 'base64')",
}


def as_json(values: Collection[Any]) -> bytes:
    """
    Encode the values of a column as a JSON array.

    Raises `psycopg.DataError` for characters that PostgreSQL's texts cannot hold. The server would
    refuse them too, but would quote neighbouring values in its log.
    """
    try:
        written = _encode(values)
    except UnicodeEncodeError:
        raise DataError("Texts cannot contain half a surrogate pair") from None
    # The bytes are only a hint: a text that holds JSON can contain an escaped backslash before it.
    if rb"\u0000" in written and any("\x00" in each for each in values if isinstance(each, str)):
        raise DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    return written


def given(columns: Iterable[Column[Any]]) -> str:
    """Return the FROM item `given`; each of its columns is one parameter of the statement."""
    names = [each.name for each in columns]
    lists = ["json_array_elements_text(%s)"] * len(names)
    return f"ROWS FROM ({', '.join(lists)}) AS given({', '.join(names)})"


def given_value(column: Column[Any]) -> str:
    """Return the SQL for a column's value in a row of `given`."""
    return _VALUES.get(type(column.type), "given.{}").format(column.name)

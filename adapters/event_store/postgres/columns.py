"""
Writes columns as JSON arrays, which the server unpacks.

The driver inspects every single value, and PostgreSQL's own arrays need the same. With the driver's
cursors, that took nearly half of a batch's work.
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
    Write the values of a column.

    Raises `psycopg.DataError` for a character that PostgreSQL cannot keep. The server would refuse it
    too, and quote other values in its log.
    """
    try:
        written = _encode(values)
    except UnicodeEncodeError:
        raise DataError("Texts cannot contain half a surrogate pair") from None
    # Only a first check: a text that is JSON itself may contain an escaped one.
    if rb"\u0000" in written and any("\x00" in each for each in values if isinstance(each, str)):
        raise DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes")
    return written


def given(columns: Iterable[Column[Any]]) -> str:
    """Return the rows of `given`, for a FROM: columns that are each a value of the statement."""
    names = [each.name for each in columns]
    lists = ["json_array_elements_text(%s)"] * len(names)
    return f"ROWS FROM ({', '.join(lists)}) AS given({', '.join(names)})"


def given_value(column: Column[Any]) -> str:
    """Return the value of a column in a row of `given`."""
    return _VALUES.get(type(column.type), "given.{}").format(column.name)

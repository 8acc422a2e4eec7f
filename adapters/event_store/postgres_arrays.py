"""Columns as PostgreSQL's arrays, each in one text: the driver would look at every value by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import BigInteger, Boolean, Float, Integer, LargeBinary
from sqlalchemy.types import TypeEngine


def array_of(column_type: TypeEngine[Any]) -> tuple[str, Callable[[Iterable[Any]], str]]:
    """Give the name of a column's array type, and what writes its values as one."""
    return _ARRAYS.get(type(column_type), ("text[]", texts))


def texts(values: Iterable[str | None]) -> str:
    """Write texts; whatever has a meaning in an array is quoted."""
    return _joined(
        "NULL" if each is None else '"' + each.replace("\\", "\\\\").replace('"', '\\"') + '"'
        for each in values
    )


def numbers(values: Iterable[float | None]) -> str:
    """Write numbers."""
    return _joined("NULL" if each is None else repr(each) for each in values)


def truths(values: Iterable[bool | None]) -> str:
    """Write booleans."""
    return _joined("NULL" if each is None else "tf"[not each] for each in values)


def blobs(values: Iterable[bytes | None]) -> str:
    """Write bytes, as hexadecimal digits."""
    return _joined("NULL" if each is None else f'"\\\\x{each.hex()}"' for each in values)


def _joined(written: Iterable[str]) -> str:
    return "{" + ",".join(written) + "}"


_ARRAYS: dict[type[TypeEngine[Any]], tuple[str, Callable[[Iterable[Any]], str]]] = {
    BigInteger: ("bigint[]", numbers),
    Integer: ("bigint[]", numbers),
    Float: ("float8[]", numbers),
    Boolean: ("boolean[]", truths),
    LargeBinary: ("bytea[]", blobs),
}

"""Columns as PostgreSQL's arrays: what is read back is what was written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
import pytest
from sqlalchemy import BigInteger, Boolean, Float, LargeBinary, String
from sqlalchemy.types import TypeEngine

from tests.databases import Databases
from watchword.adapters.event_store.postgres_arrays import array_of


@pytest.mark.parametrize(
    ("column_type", "values"),
    [
        (String(), ["", "tea", "NULL", "null", '"', "\\", '\\"', "{a,b}", " a ", "é\n\t'", None]),
        (BigInteger(), [0, -1, 2**63 - 1, -(2**63), None]),
        (Float(), [0.0, -1.5, 1e300, 5e-324, 1763760000.123456, None]),
        (Boolean(), [True, False, None]),
        (LargeBinary(), [b"", b"\x00\xff\\x", None]),
        (String(), []),
    ],
)
def test_values_come_back(
    postgres_server: Databases, column_type: TypeEngine[Any], values: Sequence[Any]
) -> None:
    """Whatever has a meaning in an array is quoted, and what is missing is missing."""
    name, written = array_of(column_type)
    with psycopg.connect(postgres_server.url) as connection:
        found = connection.execute(f"SELECT unnest(%s::{name})", [written(values)]).fetchall()

    assert values == [value for (value,) in found]

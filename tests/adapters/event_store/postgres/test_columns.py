"""Columns as JSON arrays: values are read as they were written, or refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import psycopg
import pytest
from sqlalchemy import BigInteger, Boolean, Column, Float, LargeBinary, String
from sqlalchemy.types import TypeEngine

from tests.databases import Databases
from watchword.adapters.event_store.postgres.columns import as_json, given, given_value

TEXTS = ["", "tea", "NULL", "null", '"', "\\", '\\"', "{a,b}", " a ", "é\n\t'\x1f\x7f\u2028", None]


@pytest.mark.parametrize(
    ("column_type", "values"),
    [
        (String(), TEXTS),
        (String(), ['{"tea": "\\u0000"}', "\\u0000", "\\\\u0000"]),
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
    """Characters with a meaning in JSON are quoted, and missing values stay missing."""
    column = Column("tea", column_type)
    with psycopg.connect(postgres_server.url) as connection:
        asked = " ".join(("SELECT", given_value(column), "FROM", given([column])))
        found = connection.execute(asked, [as_json(values).decode()]).fetchall()

    assert values == [value for (value,) in found]


@pytest.mark.parametrize("text", ["\x00", "tea\x00", "\\\x00", "\ud83c", "tea\udf75"])
def test_a_text_that_cannot_be_kept(text: str) -> None:
    """It is not sent: the server would quote it in its log."""
    with pytest.raises(psycopg.DataError) as refused:
        as_json([None, "moss", text])

    assert "moss" not in str(refused.value)

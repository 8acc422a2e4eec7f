"""Statements that go to PostgreSQL together, and are answered together."""

from __future__ import annotations

from collections.abc import AsyncIterator

import psycopg
import pytest

from tests.databases import Databases
from watchword.adapters.event_store.postgres.round_trips import LineConnection

LONG = "tea" * 1_000_000


@pytest.fixture
async def connection(postgres_server: Databases) -> AsyncIterator[LineConnection]:
    """Yield a connection as batches have it."""
    async with await LineConnection.connect(postgres_server.url, autocommit=True) as opened:
        yield opened


async def test_the_answer_to_the_last(connection: LineConnection) -> None:
    """Each statement sees the effects of those before it, and the last one's answer is returned."""
    for number in (b"1", b"2"):
        answer = await connection.together(
            (
                ("BEGIN", ()),
                ("SELECT set_config('tea.cup', %s, true), %s", (number, b"")),
                ("SELECT current_setting('tea.cup') || %s", (b"%s",)),
            )
        )
        await connection.together((("COMMIT", ()),))

        assert number + b"%s" == answer.get_value(0, 0)


async def test_much_in_both_directions(connection: LineConnection) -> None:
    """Answers longer than any buffer are read while the statements are written."""
    answer = await connection.together([("SELECT %s || ''", (LONG.encode(),))] * 5)

    assert LONG.encode() == answer.get_value(0, 0)


async def test_the_first_failure(connection: LineConnection) -> None:
    """Statements behind a failure do not run, and the failure is reported."""
    with pytest.raises(psycopg.errors.DivisionByZero):
        await connection.together(
            (("SELECT 1", ()), ("SELECT 1 / 0", ()), ("SELECT nothing", ()), ("COMMIT", ()))
        )


async def test_a_session_that_ends(connection: LineConnection) -> None:
    """A connection that is lost on the way is not taken for an answer."""
    with pytest.raises(psycopg.OperationalError):
        await connection.together(
            (("SELECT pg_terminate_backend(pg_backend_pid())", ()), ("SELECT 1", ()))
        )
    with pytest.raises(psycopg.OperationalError):
        await connection.together((("SELECT 1", ()),))

    assert connection.closed


async def test_more_statements_than_a_session_keeps(connection: LineConnection) -> None:
    """The statements used last stay prepared; others are prepared again."""
    for number in (*range(150), 0):
        answer = await connection.together(
            (("SELECT 'tea'", ()), (f"SELECT {number} + %s", (b"1",)))
        )

        assert str(number + 1).encode() == answer.get_value(0, 0)

    cursor = await connection.execute("SELECT statement FROM pg_prepared_statements")
    known = {text for (text,) in await cursor.fetchall()}

    assert 100 == len(known)
    assert {"SELECT 'tea'", "SELECT 0 + $1", "SELECT 149 + $1"} <= known
    assert "SELECT 50 + $1" not in known

"""Sends several statements to PostgreSQL in one round trip, with libpq's own calls."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from re import sub
from typing import Any

import psycopg
from psycopg.abc import PQGen
from psycopg.errors import error_from_result
from psycopg.generators import fetch_many, send
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult
from psycopg.rows import TupleRow

# A statement's text with the driver's placeholders, and its values as text.
Statement = tuple[str, Sequence[bytes]]

# Each prepared statement takes memory of the session.
_MOST_PREPARED = 100


class LineConnection(psycopg.AsyncConnection[TupleRow]):
    """
    A connection that can send several statements at once.

    The driver's own pipeline would use a cursor, step by step, for each statement of a batch.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        # Names of the session's prepared statements by text, the most recently used last.
        self._names: dict[str, bytes] = {}

    async def together(self, statements: Sequence[Statement]) -> PGresult:
        """
        Run statements with one sync at the end; return the result of the last.

        Raises the first `psycopg.Error`. After an error or a cancellation, the connection is unusable.
        """
        return await self.wait(self._round_trip(statements))

    def _round_trip(self, statements: Sequence[Statement]) -> PQGen[PGresult]:
        self.pgconn.enter_pipeline_mode()
        for text, values in statements:
            self.pgconn.send_query_prepared(self._prepared_as(text), values)
        self.pgconn.pipeline_sync()
        yield from send(self.pgconn)
        answers: list[PGresult] = []
        while found := (yield from fetch_many(self.pgconn)):
            answers += found
            if found[-1].status == ExecStatus.PIPELINE_SYNC:
                break
        for each in answers:
            if each.status == ExecStatus.FATAL_ERROR:
                raise error_from_result(each)
        if not found:
            raise psycopg.OperationalError("the connection was lost")
        self.pgconn.exit_pipeline_mode()
        return answers[-2]

    def _prepared_as(self, text: str) -> bytes:
        name = self._names.pop(text, None)
        if name is None:
            if len(self._names) < _MOST_PREPARED:
                name = b"batch_%d" % len(self._names)
            else:
                name = self._names.pop(next(iter(self._names)))
                self.pgconn.send_query_params(b"DEALLOCATE " + name, None)
            numbers = count(1)
            numbered = sub("%s", lambda _: f"${next(numbers)}", text)
            self.pgconn.send_prepare(name, numbered.encode())
        self._names[text] = name
        return name

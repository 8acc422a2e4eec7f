"""`eventsourcing`'s PostgreSQL recorder, with everything else of a batch in the same transaction."""

from __future__ import annotations

import asyncio
import math
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any

import psycopg
from attrs import define
from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg import Cursor
from psycopg.errors import ProgramLimitExceeded
from psycopg.rows import tuple_row

from ....application.ports.event_store import StoreRefusal, StoreUnavailable
from ..batch.packed_append import PackedAppend, table_rows
from ..batch.packing import ROW_SHAPES
from ..batch.questions import questions
from ..batch.settling import settle
from .batch import asking, read_round_trip, writing
from .connections import ThreadConnections, unavailable
from .line import Line
from .round_trips import Statement
from .schema import LOCK

Results = list[Sequence[int] | Exception]
# Returns late appends if there are at least so many; the caller must then write them.
Late = Callable[[int], Sequence[PackedAppend]]

# After this, no caller waits for a batch: a late one is not begun again.
_TRY_AGAIN_SECONDS = 3.0
_TRIES = 3
_PAUSE_SECONDS = 0.05
# A node that is alone gets the lock in a tenth of this; one that waits longer is not alone for a while.
_WAITED = 0.001
_CROWDED_SECONDS = 1.0
# Late appends cost one more round trip, and need no batch of their own: if other nodes write too, it
# pays from this share of the batch on (measured).
_WORTH_ASKING = 0.5
# Errors of the database that an append's data cause, and not the database's own state.
_THE_APPENDS_OWN = (psycopg.DataError, psycopg.IntegrityError, ProgramLimitExceeded)
_BEGIN: Statement = ("BEGIN", ())
_TAKE_TURN: Statement = (LOCK, ())
_COMMIT: Statement = ("COMMIT", ())


def _nobody(_: int) -> Sequence[PackedAppend]:
    return ()


@define
class _Attempt:
    """A batch that is being written; with `results`, its commit may have been sent."""

    results: Results | None = None


class PostgresBatchRecorder(PostgresApplicationRecorder):
    """
    Writes a whole batch in one transaction; refused appends leave no trace in it.

    Every write waits for the advisory lock, so facts read under it hold, and positions have no gaps
    and become visible in order (D-55). Without a `real_time`, leases go by the
    database's clock, which is the same for all nodes.
    """

    datastore: ThreadConnections

    def __init__(self, datastore: ThreadConnections, real_time: Callable[[], float] | None) -> None:
        super().__init__(datastore)
        self._real_time = real_time
        self._line = Line(datastore)
        self._writer = secrets.token_hex(16)
        self._batch = 0
        # By then all other writers must have stopped.
        self._crowded_until = 0.0

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        """Refuse: readers of the log would miss events that are written without the lock."""
        raise NotImplementedError("Events are written with `commit`.")

    @property
    def losses(self) -> int:
        """How often the connection for batches was lost."""
        return self._line.losses

    @contextmanager
    def writing(self) -> Iterator[Cursor[Any]]:
        """Run a transaction under the lock that the batches of all nodes take."""
        with self.datastore.get_connection() as connection, connection.transaction():
            connection.execute(LOCK)
            yield connection.cursor(row_factory=tuple_row)

    async def commit(self, batch: list[PackedAppend], late: Late = _nobody) -> Results:
        """
        Write a batch; return the positions, or the refusal, of each append.

        While other nodes write, `late` returns the appends that arrived while this batch waited for its
        turn. They join it if they are at least half as many: one more round trip behind the lock costs
        less than a batch of their own. Without this, two nodes had batches half as large as one node,
        and were slower.

        If the connection is lost, the database is asked whether the commit happened, so that no append
        conflicts with itself. The question uses the number that each batch leaves: an append may have
        no events to look for, and transaction ids can be reused after a crash or a failover (D-56).
        """
        give_up = monotonic() + _TRY_AGAIN_SECONDS
        failure: Exception = StoreUnavailable("The store cannot be used.")
        for _ in range(_TRIES):
            self._batch += 1
            attempt = _Attempt()
            used_before = self._line.connected
            try:
                return await self._write(batch, attempt, late)
            except (psycopg.Error, StoreUnavailable) as error:
                failure = error
            except BaseException:
                # Its transaction holds the lock, for which every other node waits.
                await self._line.forget()
                raise
            lost = await self._line.forget()
            if isinstance(failure, _THE_APPENDS_OWN) and len(batch) > 1:
                # One append causes it: find it, and write the others.
                half = len(batch) // 2
                return await self.commit(batch[:half]) + await self.commit(batch[half:])
            if not lost or (attempt.results is None and not used_before):
                break
            try:
                if attempt.results is not None and await self._happened(give_up):
                    return attempt.results
            except StoreUnavailable as still_away:
                failure = still_away
            if monotonic() > give_up:
                break
        if isinstance(failure, psycopg.Error):
            failure = unavailable(failure)
        return [failure] * len(batch)

    def leave(self) -> None:
        """Remove this writer's mark: it writes no more."""
        with self.writing() as cursor:
            cursor.execute("DELETE FROM writers WHERE writer = %s", (self._writer,))

    async def close(self) -> None:
        """Close the connection for batches."""
        await self._line.forget()

    def hang_up(self) -> None:
        """End every wait for the database."""
        self.datastore.hang_up()
        self._line.hang_up()

    async def _write(self, batch: list[PackedAppend], attempt: _Attempt, late: Late) -> Results:
        connection = await self._line.own()
        asked = questions([packed.append for packed in batch])
        # Only after a sync does the database limit how long a node may hold the lock without a statement.
        answer = await connection.together((_BEGIN, _TAKE_TURN, asking(asked)))
        trip = read_round_trip(answer)
        facts = trip.facts
        if trip.waited > _WAITED:
            self._crowded_until = monotonic() + _CROWDED_SECONDS
        crowded = monotonic() < self._crowded_until
        if crowded and (more := late(math.ceil(len(batch) * _WORTH_ASKING))):
            batch += more
            beyond = questions([packed.append for packed in batch]).beyond(asked)
            facts.add(read_round_trip(await connection.together((asking(beyond),))).facts)
        real_now = trip.now if self._real_time is None else self._real_time()
        verdicts, writes = settle([packed.append for packed in batch], facts, real_now)
        held = [packed for packed, no in zip(batch, verdicts, strict=True) if no is None]
        last = [_COMMIT]
        if held:
            mark = (self._writer, self._batch)
            events = [event for packed in held for event in packed.events]
            last.insert(0, writing(events, table_rows(writes, held, ROW_SHAPES), trip.newest, mark))
            attempt.results = _results(batch, verdicts, trip.newest)
        await connection.together(last)
        return attempt.results or _results(batch, verdicts, trip.newest)

    async def _happened(self, give_up: float) -> bool:
        """Ask whether the newest batch was committed; behind the lock its transaction has ended."""
        while True:
            try:
                connection = await self._line.own()
                async with connection.transaction():
                    await connection.execute(LOCK)
                    cursor = await connection.execute(
                        "SELECT batch FROM writers WHERE writer = %s", (self._writer,)
                    )
                    row = await cursor.fetchone()
                    return row is not None and row[0] == self._batch
            except psycopg.Error as error:
                await self._line.forget()
                if monotonic() > give_up:
                    raise unavailable(error) from error
                await asyncio.sleep(_PAUSE_SECONDS)


def _results(
    batch: Sequence[PackedAppend], verdicts: Sequence[StoreRefusal | None], newest: int
) -> Results:
    results: Results = []
    for packed, refusal in zip(batch, verdicts, strict=True):
        if refusal is not None:
            results.append(refusal)
            continue
        results.append(range(newest + 1, newest + 1 + len(packed.events)))
        newest += len(packed.events)
    return results

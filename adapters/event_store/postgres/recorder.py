"""The PostgreSQL recorder of `eventsourcing`, which writes a whole batch in one transaction."""

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
from ..batch.facts import questions
from ..batch.packed_append import PackedAppend, table_rows
from ..batch.packing import ROW_SHAPES
from ..batch.settling import settle
from .batch import asking, read_round_trip, writing
from .connections import ThreadConnections, unavailable
from .line import Line
from .round_trips import Statement
from .schema import LOCK

Results = list[Sequence[int] | Exception]
# Returns late appends if there are at least so many; the caller must then write them.
Late = Callable[[int], Sequence[PackedAppend]]

# Callers have given up by then, so a later attempt would be useless.
_TRY_AGAIN_SECONDS = 3.0
_TRIES = 3
_PAUSE_SECONDS = 0.05
# A single node gets the lock in a tenth of this time. After a longer wait, the node expects others
# to write for so many seconds.
_WAITED = 0.001
_CROWDED_SECONDS = 1.0
# Late appends cost a round trip, and save a batch of their own. If other nodes write too, this pays from
# this fraction of the batch's size on (measured).
_WORTH_JOINING = 0.5
# Errors that an append's content causes, and not the database's state.
_CAUSED_BY_CONTENT = (psycopg.DataError, psycopg.IntegrityError, ProgramLimitExceeded)
_BEGIN: Statement = ("BEGIN", ())
_LOCK: Statement = (LOCK, ())
_COMMIT: Statement = ("COMMIT", ())


def _none_late(_: int) -> Sequence[PackedAppend]:
    return ()


@define
class _Attempt:
    """An attempt to write a batch; once `results` is set, its commit may have been sent."""

    results: Results | None = None


class PostgresBatchRecorder(PostgresApplicationRecorder):
    """
    Writes a whole batch in one transaction; refused appends change nothing.

    Every write takes the advisory lock. So facts read under it stay valid, and positions have no gaps
    and become visible in order (D-55). Without `real_time`, leases use the database's clock, which all
    nodes share.
    """

    datastore: ThreadConnections

    def __init__(self, datastore: ThreadConnections, real_time: Callable[[], float] | None) -> None:
        super().__init__(datastore)
        self._real_time = real_time
        self._line = Line(datastore)
        self._writer = secrets.token_hex(16)
        self._batch = 0
        # Until then this node expects that others write too.
        self._crowded_until = 0.0

    def insert_events(self, stored_events: Sequence[StoredEvent], **_: Any) -> Sequence[int] | None:
        """Raise `NotImplementedError`: readers of the log could miss events written without the lock."""
        raise NotImplementedError("Events are written with `commit`.")

    @property
    def losses(self) -> int:
        """How often the connection for batches was dropped."""
        return self._line.losses

    @contextmanager
    def writing(self) -> Iterator[Cursor[Any]]:
        """Run a transaction that holds the lock of all nodes' batches."""
        with self.datastore.get_connection() as connection, connection.transaction():
            connection.execute(LOCK)
            yield connection.cursor(row_factory=tuple_row)

    async def commit(self, batch: list[PackedAppend], late: Late = _none_late) -> Results:
        """
        Write a batch; return the positions or the error of each append.

        While other nodes write, `late` returns the appends that arrived while this batch waited for the
        lock. They join it if they are at least half as many: one more round trip under the lock costs less
        than a batch of their own. Without this, two nodes had batches half as large as one node, and were
        slower.

        After a lost connection, the recorder reads whether the commit happened, so that no append conflicts
        with itself. It looks for the number that each batch writes: an append may have no events to look
        for, and transaction ids can repeat after a crash or a failover (D-56).
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
                # Its transaction holds the lock, which every other node waits for.
                await self._line.forget()
                raise
            lost = await self._line.forget()
            if isinstance(failure, _CAUSED_BY_CONTENT) and len(batch) > 1:
                # One append caused it: halve the batch until it is alone.
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
        """Delete this writer's mark after its last batch."""
        with self.writing() as cursor:
            cursor.execute("DELETE FROM writers WHERE writer = %s", (self._writer,))

    async def close(self) -> None:
        """Close the connection for batches."""
        await self._line.forget()

    def hang_up(self) -> None:
        """Make all statements fail that wait for the database."""
        self.datastore.hang_up()
        self._line.hang_up()

    async def _write(self, batch: list[PackedAppend], attempt: _Attempt, late: Late) -> Results:
        connection = await self._line.own()
        asked = questions([packed.append for packed in batch])
        # The sync lets the database limit its wait for a node that stops while it holds the lock.
        answer = await connection.together((_BEGIN, _LOCK, asking(asked)))
        trip = read_round_trip(answer)
        facts = trip.facts
        if trip.waited > _WAITED:
            self._crowded_until = monotonic() + _CROWDED_SECONDS
        crowded = monotonic() < self._crowded_until
        if crowded and (more := late(math.ceil(len(batch) * _WORTH_JOINING))):
            batch += more
            beyond = questions([packed.append for packed in batch]).beyond(asked)
            facts.add(read_round_trip(await connection.together((asking(beyond),))).facts)
        real_now = trip.now if self._real_time is None else self._real_time()
        verdicts, writes = settle([packed.append for packed in batch], facts, real_now)
        accepted = [packed for packed, no in zip(batch, verdicts, strict=True) if no is None]
        last = [_COMMIT]
        if accepted:
            mark = (self._writer, self._batch)
            events = [event for packed in accepted for event in packed.events]
            last.insert(
                0, writing(events, table_rows(writes, accepted, ROW_SHAPES), trip.newest, mark)
            )
            attempt.results = _results(batch, verdicts, trip.newest)
        await connection.together(last)
        return attempt.results or _results(batch, verdicts, trip.newest)

    async def _happened(self, give_up: float) -> bool:
        """Return whether the newest batch was committed; under the lock, its transaction has ended."""
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

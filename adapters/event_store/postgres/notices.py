"""
Notices by NOTIFY: of new events (D-541), and of due rows that others would find too late (D-59).

A notice is a hint. It is sent after the commit in a transaction of its own, because a NOTIFY in the
batch would hold PostgreSQL's single lock for notices until the batch is on disk. A lost notice only
delays its row, or its events, until a worker or a reader next looks.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Any

import psycopg
from psycopg.sql import SQL, Identifier

from ....application.ports.event_store import LONGEST_SLEEP, Append, DueKind, StoreUnavailable
from ...logs import logger
from ..batch.due_watchers import DueWatchers
from .connections import ThreadConnections, unavailable

# The pause between two sends of a node; rows written meanwhile share the next one.
_REST_SECONDS = 0.1
_AGAIN_AFTER = 1.0
# Notices may have been missed without a connection, so workers look at once.
_AT_ONCE = datetime.min.replace(tzinfo=UTC)
# Named after the schema, as the lock is: one database can hold several stores.
_CHANNEL = "'watchword_due_' || to_hex(hashtext(current_schema()))"
# A crash can lose a notice without harm, so its commit waits for no disk.
_NOTIFY = (
    f"SELECT set_config('synchronous_commit', 'off', true), pg_notify({_CHANNEL}, notice)"
    " FROM unnest(%s::text[]) AS notice"
)
# Stands where the kind of a due row would. Nodes of earlier releases pass over what they do not know.
_EVENTS = "events"
_log = logger("watchword.store")


class Notices:
    """
    Notifies other nodes of due rows and of new events, and receives their notices.

    A notice is sent for a row that is due within `LONGEST_SLEEP` and before all announced rows. At the
    announced time the other nodes look, and find the next row. All events between two sends share one.
    """

    def __init__(
        self,
        connections: ThreadConnections,
        watchers: DueWatchers,
        run: Callable[..., Awaitable[Any]],
    ) -> None:
        self._connections = connections
        self._watchers = watchers
        self._run = run
        self._node = secrets.token_hex(8)
        self._notified: dict[DueKind, datetime] = {}
        self._unsent: dict[DueKind, datetime] = {}
        self._unsent_events: datetime | None = None
        self._watching_log: list[Callable[[], None]] = []
        self._sending: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None

    def committed(self, append: Append) -> None:
        """Notify other nodes of an append's events, and of due rows that they would find too late."""
        for due in append.due:
            # Orphaned dispatches use real time, and all other kinds service time (D-11).
            orphan = due.kind is DueKind.ORPHANED_DISPATCH
            now = datetime.now(UTC) if orphan else append.at
            earliest = self._notified.get(due.kind, now)
            if due.at < (earliest if earliest > now else now + LONGEST_SLEEP):
                self._notified[due.kind] = due.at
                self._unsent[due.kind] = min(due.at, self._unsent.get(due.kind, due.at))
        if append.changes:
            self._unsent_events = append.at
        if self._has_news and (self._sending is None or self._sending.done()):
            self._sending = asyncio.create_task(self._send())

    def listen(self) -> None:
        """Start to receive notices of other nodes on a connection of its own."""
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen())

    @contextmanager
    def watching_log(self, grown: Callable[[], None]) -> Iterator[None]:
        """Call `grown` after appends of other nodes while the block runs."""
        self.listen()
        self._watching_log.append(grown)
        try:
            yield
        finally:
            self._watching_log.remove(grown)

    @property
    def _has_news(self) -> bool:
        return bool(self._unsent) or self._unsent_events is not None

    async def close(self) -> None:
        """Send the remaining notices and stop listening."""
        if self._listening is not None:
            self._listening.cancel()
            with suppress(asyncio.CancelledError):
                await self._listening
        if self._sending is not None:
            await self._sending

    async def _send(self) -> None:
        while self._has_news:
            news: list[tuple[str, datetime]] = [*self._unsent.items()]
            if self._unsent_events is not None:
                news.append((_EVENTS, self._unsent_events))
            notices = [f"{self._node} {kind} {at.isoformat()}" for kind, at in news]
            self._unsent.clear()
            self._unsent_events = None
            try:
                await self._run(self._connections.fetch, _NOTIFY, (notices,))
            except StoreUnavailable:
                self._notified.clear()
            await asyncio.sleep(_REST_SECONDS)

    async def _listen(self) -> None:
        lost = False
        while True:
            try:
                async with await self._connections.opened_to_listen() as connection:
                    cursor = await connection.execute(f"SELECT {_CHANNEL}")
                    ((channel,),) = await cursor.fetchall()
                    await connection.execute(SQL("LISTEN {}").format(Identifier(channel)))
                    if lost:
                        for kind in DueKind:
                            self._watchers.notify(kind, _AT_ONCE)
                    lost = False
                    # This node has had no notice of events from before this connection listened.
                    self._tell_of_events()
                    async for notice in connection.notifies():
                        self._take_notice(notice.payload)
            except psycopg.Error as error:
                if not lost:
                    _log.warning("notices_lost", reason=unavailable(error).reason)
                lost = True
            await asyncio.sleep(_AGAIN_AFTER)

    def _take_notice(self, notice: str) -> None:
        # Other clients can write to the channel, and a node of another release in another form.
        with suppress(ValueError, OverflowError):
            node, kind, at = notice.split(" ")
            if node == self._node:
                return
            if kind == _EVENTS:
                self._tell_of_events()
            else:
                self._watchers.notify(DueKind(kind), datetime.fromisoformat(at).astimezone(UTC))

    def _tell_of_events(self) -> None:
        for grown in self._watching_log:
            grown()

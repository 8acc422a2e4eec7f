"""Takes sealed lines and streams out of a log on SQL, with everything that hangs on them (C-75)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from ....application.evidence.leaves import blanked
from ....application.ports.event_store import DueKind
from ....application.ports.sealed_log import RawEvent
from ....application.records import RECORDS
from ....application.records.callback_delivery import CallbackDeliveryRow
from ....domain.log_history import PrunedRange
from ..log.lines import lines_of
from ..rows.read_model_tables import ROW_TABLES
from ..rows.time_text import time_text
from .reads import SqlReads

# A statement and the values of each of its runs.
Run = tuple[str, Sequence[Sequence[Any]]]

_FORGET_AT_ONCE = 500
# A stream that went on since it was recorded keeps everything.
_UNLESS_GONE_ON = (
    " AND NOT EXISTS (SELECT 1 FROM stored_events AS later"
    " WHERE later.originator_id = ? AND later.originator_version > ?)"
)
_TABLES = {
    f"{each.prefix}_": ROW_TABLES[each.read_model.row]
    for each in RECORDS
    if each.read_model is not None
}
_KINDS = ", ".join(f"'{each}'" for each in DueKind if each is not DueKind.CALLBACK)
_HANGING_ON = (
    "DELETE FROM holders WHERE holder = ?",
    f"DELETE FROM due WHERE kind IN ({_KINDS}) AND stream = ?",
    "DELETE FROM seal_keys WHERE name = ?",
)
_DELIVERIES = ROW_TABLES[CallbackDeliveryRow]
_OF_EVENT = (
    f"(SELECT {_DELIVERIES.key} FROM {_DELIVERIES.name} WHERE person_id = ? AND event_id = ?)"
)
_OF_DELIVERIES = (
    f"DELETE FROM due WHERE kind = '{DueKind.CALLBACK}' AND stream IN {_OF_EVENT}",
    f"DELETE FROM positions WHERE name IN {_OF_EVENT}",
    f"DELETE FROM {_DELIVERIES.name} WHERE {_DELIVERIES.key} IN {_OF_EVENT}",
)
_DROP = "DELETE FROM stored_events WHERE originator_id = ?"
_FORGET_USES = (
    "DELETE FROM uses WHERE (subject, number) IN (SELECT subject, number FROM uses"
    " WHERE subject >= ? AND subject < ? AND at < ? LIMIT ?)"
)


class SqlPruning(SqlReads):
    """Reads on the store's readers, and writes each step in one transaction on the keeper's thread."""

    @property
    def prunable_log(self) -> SqlPruning:
        """This store."""
        return self

    async def raw_streams(self, streams: Collection[str]) -> Sequence[RawEvent]:
        """Return all events of some streams as they are stored."""
        return await self._readers.run(self._raw_streams, tuple(streams))

    async def streams_at(self, ranges: Sequence[PrunedRange]) -> Mapping[str, int]:
        """Return the streams at some positions, with the number of their events there."""
        return await self._readers.run(self._streams_at, tuple(ranges))

    async def blank(self, streams: Mapping[str, int]) -> None:
        """Blank the sealed lines of streams, and drop what hangs on them."""
        events = await self.raw_streams(streams)
        update = f"UPDATE stored_events SET state = ? WHERE {self._dialect.position} = ?"
        changes = [
            (state, each.position, each.stream, streams[each.stream])
            for each in events
            if (state := _without_sealed(each.state)) != each.state
        ]
        await self._prune(streams, events, (update + _UNLESS_GONE_ON, changes))

    async def drop(self, streams: Mapping[str, int]) -> None:
        """Drop streams, and what hangs on them."""
        events = await self.raw_streams(streams)
        last = [(stream, stream, named) for stream, named in streams.items()]
        await self._prune(streams, events, (_DROP + _UNLESS_GONE_ON, last))

    async def forget_old_uses(self, prefix: str, before: datetime) -> int:
        """Drop some uses from before a time, of subjects with a prefix."""
        behind = f"{prefix[:-1]}{chr(ord(prefix[-1]) + 1)}"
        values = (prefix, behind, time_text(before), _FORGET_AT_ONCE)
        return await self._keep((_FORGET_USES, (values,)))

    async def _prune(
        self, streams: Mapping[str, int], events: Sequence[RawEvent], last: Run
    ) -> None:
        """Drop what hangs on streams, then run the statement on their events."""
        guards = [(stream, stream, named) for stream, named in streams.items()]
        runs: list[Run] = [(each + _UNLESS_GONE_ON, guards) for each in _HANGING_ON]
        for prefix, table in _TABLES.items():
            of_kind = [each for each in guards if each[0].startswith(prefix)]
            statement = f"DELETE FROM {table.name} WHERE {table.key} = ?"
            runs.append((statement + _UNLESS_GONE_ON, of_kind))
        told = [
            (person_id, event_id, each.stream, streams[each.stream])
            for each in events
            for person_id, event_id in _about_people(each.state)
        ]
        runs += [(each + _UNLESS_GONE_ON, told) for each in _OF_DELIVERIES]
        await self._keep(*[each for each in (*runs, last) if each[1]])
        self._forget_streams(streams)

    def _raw_streams(self, streams: Sequence[str]) -> list[RawEvent]:
        rows = self._fetch(
            f"SELECT {self._dialect.position}, originator_id, originator_version, topic, state"
            f" FROM stored_events WHERE originator_id IN ({self._dialect.items}) ORDER BY 1",
            (self._dialect.pack(streams),),
        )
        return [RawEvent(row[0], row[1], row[2], row[3], bytes(row[4])) for row in rows]

    def _streams_at(self, ranges: Sequence[PrunedRange]) -> dict[str, int]:
        found: dict[str, int] = {}
        for each in ranges:
            rows = self._fetch(
                "SELECT originator_id, count(*) FROM stored_events"
                f" WHERE {self._dialect.position} BETWEEN ? AND ? GROUP BY originator_id",
                (each.first, each.last),
            )
            for stream, number in rows:
                found[stream] = found.get(stream, 0) + int(number)
        return found

    @abstractmethod
    async def _keep(self, *runs: Run) -> int:
        """Run statements in one transaction on the keeper's thread; return how many rows they changed."""

    @abstractmethod
    def _forget_streams(self, streams: Collection[str]) -> None:
        """Forget the states of streams that this process remembers."""


class _Named(msgspec.Struct):
    """The members of an open line by which a delivery names the event."""

    id: str
    person: str | None = None


_decode_named = msgspec.json.Decoder(_Named).decode


def _without_sealed(state: bytes) -> bytes:
    lines = lines_of(state)
    return b"\n".join(lines._replace(sealed=blanked(lines.sealed)))


def _about_people(state: bytes) -> Sequence[tuple[str, str]]:
    """Return the person and the id of an event that is about a person."""
    named = _decode_named(lines_of(state).open)
    return () if named.person is None else ((named.person, named.id),)

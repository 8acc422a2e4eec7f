"""Takes sealed lines and streams out of a log in memory, with everything that hangs on them (C-75)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ....application.evidence.leaves import blanked
from ....application.ports.event_store import Due, DueKind
from ....application.ports.sealed_log import RawEvent
from ....application.ports.sealer import SealKey
from ....application.records.callback_delivery import CallbackDeliveryRow
from ....domain.log_history import PrunedRange
from ..log.lines import lines_of
from .following import DROPPED, MemoryFollowing


class MemoryPruning(MemoryFollowing):
    """Changes the events of a list in their places."""

    _due: dict[tuple[str, str, int], Due]
    _seal_keys: dict[str, SealKey]

    @property
    def prunable_log(self) -> MemoryPruning:
        """This store."""
        return self

    async def raw_streams(self, streams: Collection[str]) -> Sequence[RawEvent]:
        """Return all events of some streams as they are stored."""
        positions = sorted(each for stream in streams for each in self._streams.get(stream, ()))
        return [RawEvent(each, *self._log[each - 1]) for each in positions]

    async def streams_at(self, ranges: Sequence[PrunedRange]) -> Mapping[str, int]:
        """Return the streams at some positions, with the number of their events there."""
        found: dict[str, int] = {}
        for each in ranges:
            for position in range(each.first, min(each.last, len(self._log)) + 1):
                stored = self._log[position - 1]
                if stored is not DROPPED:
                    found[stored.originator_id] = found.get(stored.originator_id, 0) + 1
        return found

    async def blank(self, streams: Mapping[str, int]) -> None:
        """Blank the sealed lines of streams, and drop what hangs on them."""
        for stream in self._unchanged(streams):
            for position in self._streams[stream]:
                stored = self._log[position - 1]
                lines = lines_of(stored.state)
                state = b"\n".join(lines._replace(sealed=blanked(lines.sealed)))
                self._log[position - 1] = stored._replace(state=state)
            self._take_off(stream)

    async def drop(self, streams: Mapping[str, int]) -> None:
        """Drop streams, and what hangs on them."""
        for stream in self._unchanged(streams):
            self._take_off(stream)
            for position in self._streams.pop(stream):
                self._log[position - 1] = DROPPED
            self._facts.versions.pop(stream, None)

    async def forget_old_uses(self, prefix: str, before: datetime) -> int:
        """Drop the uses from before a time, of subjects with a prefix."""
        forgotten = 0
        for subject in [each for each in self._facts.uses if each.startswith(prefix)]:
            times = self._facts.uses[subject].times
            old = [number for number, at in times.items() if at < before]
            for number in old:
                del times[number]
            forgotten += len(old)
            if not times:
                # A database without the rows of a subject begins its numbers anew.
                del self._facts.uses[subject]
        return forgotten

    def _unchanged(self, streams: Mapping[str, int]) -> Iterable[str]:
        return [
            stream
            for stream, named in streams.items()
            if 0 < len(self._streams.get(stream, ())) <= named
        ]

    def _take_off(self, stream: str) -> None:
        """Drop what hangs on a stream: its rows, holders, due rows, seal keys and deliveries."""
        ids = set(self._event_ids(stream))
        for kind, rows in self._rows.items():
            rows.pop(stream, None)
            if kind is CallbackDeliveryRow:
                for key in [each for each, row in rows.items() if _event_of(row) in ids]:
                    del rows[key]
                    self._drop_due(key, of_callbacks=True)
                    self._facts.positions.pop(key, None)
        for holders in self._facts.holders.values():
            holders.discard(stream)
        self._drop_due(stream, of_callbacks=False)
        self._seal_keys.pop(stream, None)

    def _drop_due(self, stream: str, *, of_callbacks: bool) -> None:
        for key in [each for each in self._due if each[1] == stream]:
            if (key[0] == DueKind.CALLBACK) is of_callbacks:
                del self._due[key]

    def _event_ids(self, stream: str) -> list[str]:
        placed = [
            self._mapper.to_placed(each, stream, 0, self._log[each - 1].state)
            for each in self._streams[stream]
        ]
        return [each.event_id for each in placed if each.event_id is not None]


def _event_of(row: Any) -> str:
    return str(row.event_id)

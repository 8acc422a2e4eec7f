"""Packs appends into the form that every writer takes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ....application.ports.event_store import Append
from ....application.records.read_model import Row
from ..log.mapper import EventMapper
from ..log.stored_event import StoredEvent
from ..rows.read_model_tables import ROW_TABLES
from ..sealing.owner_keys import OwnerKeys
from .measuring import measured
from .packed_append import PackedAppend

# By table name.
ROW_SHAPES = {each.name: each.shape for each in ROW_TABLES.values()}
# By type of row: the table's name and the function that returns a row's values.
_PACKING = {kind: (table.name, table.values) for kind, table in ROW_TABLES.items()}
# Changes or rows that are packed in one turn of the event loop.
MANY = 32
# A setting without meaning, which a probe writes.
PROBE = ("last_probe", "ok")


class Packing:
    """Packs appends, sealed under the keys of their owners."""

    def __init__(self, mapper: EventMapper, keys: OwnerKeys) -> None:
        self._mapper = mapper
        self._keys = keys

    async def packed(self, append: Append) -> PackedAppend:
        """
        Return an append in stored form, with the conditions that its sealed parts need.

        Raises `PersonGone` for a person whom the store does not have.
        """
        append = await self._keys.ready(append, self._mapper.owners_of(append.changes))
        if len(append.changes) > MANY:
            return await self._packed_at_leisure(append)
        return self.packed_at_once(append)

    def packed_at_once(self, append: Append) -> PackedAppend:
        """Return an append in stored form, if it needs no keys or they are ready."""
        events = self._mapper.to_stored(append)
        return PackedAppend(measured(append, events), events, _packed_rows(append.rows))

    async def _packed_at_leisure(self, append: Append) -> PackedAppend:
        """Pack an append of many changes, yielding to the event loop in between (C-94)."""
        events: list[StoredEvent] = []
        rows: list[tuple[str, Sequence[Any]]] = []
        for first in range(0, len(append.changes), MANY):
            some = append.changes[first : first + MANY]
            # Others may have filled the vault's memory meanwhile.
            await self._keys.remember(self._mapper.owners_of(some), append.meeting)
            events += self._mapper.to_stored(append, some)
            await asyncio.sleep(0)
        for first in range(0, len(append.rows), MANY):
            rows += _packed_rows(append.rows[first : first + MANY])
            await asyncio.sleep(0)
        return PackedAppend(measured(append, events), events, rows)


def _packed_rows(rows: Sequence[Row]) -> list[tuple[str, Sequence[Any]]]:
    packed_rows = []
    for row in rows:
        table, values = _PACKING[type(row)]
        packed_rows.append((table, values(row)))
    return packed_rows


def probing() -> PackedAppend:
    """Return an append that only writes the setting `PROBE`."""
    nothing = Append(at=datetime.now(UTC), actor="", request_id="")
    return PackedAppend(nothing, settings=(PROBE,))

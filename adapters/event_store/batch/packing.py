"""Packs appends into the form that every writer takes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ....application.ports.event_store import Append
from ...vault import Vault
from ..log.mapper import EventMapper
from ..log.stored_event import StoredEvent
from ..rows.read_model_tables import ROW_TABLES
from ..rows.row_packing import (
    PlannedRow,
    Recall,
    owners_of,
    packed_rows,
    planned_rows,
    rows_written,
)
from ..sealing.owner_keys import OwnerKeys
from .measuring import measured
from .packed_append import PackedAppend

# By table name.
ROW_SHAPES = {each.name: each.shape for each in ROW_TABLES.values()}
# Changes or rows that are packed in one turn of the event loop.
MANY = 32
# A setting without meaning, which a probe writes.
PROBE = ("last_probe", "ok")


class Packing:
    """Packs appends, sealed under the keys of their owners."""

    def __init__(self, mapper: EventMapper, keys: OwnerKeys, vault: Vault, recall: Recall) -> None:
        self._mapper = mapper
        self._keys = keys
        self._vault = vault
        self._written = rows_written(recall)

    async def packed(self, append: Append) -> PackedAppend:
        """
        Return an append in stored form, with the conditions that its sealed parts need.

        Raises `PersonGone` for a person whom the store does not have.
        """
        if len(append.changes) > MANY or len(append.rows) > MANY:
            return await self._packed_at_leisure(append)
        planned = planned_rows(append, self._written)
        owners = {*self._mapper.owners_of(append.changes), *owners_of(planned)} - append.erased
        append = await self._keys.ready(append, owners)
        events = self._mapper.to_stored(append)
        return PackedAppend(measured(append, events), events, packed_rows(planned, self._vault))

    async def _packed_at_leisure(self, append: Append) -> PackedAppend:
        """Pack an append of many changes or rows, yielding to the event loop in between (C-94)."""
        planned, owners = await self._planned_at_leisure(append)
        append = await self._keys.ready(append, owners)
        events: list[StoredEvent] = []
        rows: list[tuple[str, Sequence[Any]]] = []
        for first in range(0, len(append.changes), MANY):
            some = append.changes[first : first + MANY]
            # Others may have filled the vault's memory meanwhile.
            owners = self._mapper.owners_of(some) - append.erased
            await self._keys.remember(owners, append)
            events += self._mapper.to_stored(append, some)
            await asyncio.sleep(0)
        for first in range(0, len(planned), MANY):
            part = planned[first : first + MANY]
            await self._keys.remember(owners_of(part), append)
            rows += packed_rows(part, self._vault)
            await asyncio.sleep(0)
        return PackedAppend(measured(append, events), events, rows)

    async def _planned_at_leisure(self, append: Append) -> tuple[list[PlannedRow], set[str]]:
        """Return the rows of an append with what must be sealed of them, and the owners of all texts."""
        planned: list[PlannedRow] = []
        owners: set[str] = set()
        for first in range(0, len(append.changes), MANY):
            owners |= self._mapper.owners_of(append.changes[first : first + MANY])
            await asyncio.sleep(0)
        for first in range(0, len(append.rows), MANY):
            part = planned_rows(append, self._written, append.rows[first : first + MANY])
            owners |= owners_of(part)
            planned += part
            await asyncio.sleep(0)
        return planned, owners - append.erased


def probing() -> PackedAppend:
    """Return an append that only writes the setting `PROBE`."""
    nothing = Append(at=datetime.now(UTC), actor="", request_id="")
    return PackedAppend(nothing, settings=(PROBE,))

"""Packs appends into the form that every writer takes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from ....application.ports.event_store import Append, Checkpoint, PersonRecord, Repair
from ....application.ports.sealer import SealKey
from ...vault import Vault
from ..log.mapper import EventMapper, PlannedEvent, sealed_for
from ..log.stored_event import StoredEvent
from ..rows.read_model_tables import ROW_TABLES
from ..rows.row_packing import (
    PlannedRow,
    Recall,
    owners_of,
    packed_rows,
    planned_parts,
    planned_rows,
    planned_whole,
    rows_written,
)
from ..sealing.owner_keys import OwnerKeys
from .measuring import measured
from .packed_append import PackedAppend, PackedRepair

# By table name.
ROW_SHAPES = {each.name: each.shape for each in ROW_TABLES.values()}
# Changes or rows that are packed in one turn of the event loop.
MANY = 32
# A setting without meaning, which a probe writes.
PROBE = ("last_probe", "ok")
# Positions begin at 0.
_NEVER_REACHED = Checkpoint("", -1, -1)


class _Planned(NamedTuple):
    """Events or rows of an append, few enough to be sealed in one turn of the event loop."""

    events: Sequence[PlannedEvent] = ()
    rows: Sequence[PlannedRow] = ()


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
        if append.repair is not None:
            return await self._packed_repair(append, append.repair)
        events, rows = self._mapper.planned(append), planned_rows(append, self._written)
        owners = sealed_for(events) | owners_of(rows)
        if owners:
            append = await self._keys.ready(append, owners)
        stored = self._mapper.to_stored(events)
        return PackedAppend(measured(append, stored), stored, packed_rows(rows, self._vault))

    async def _packed_repair(self, append: Append, repair: Repair) -> PackedAppend:
        """Pack a repair, which has no events and no rows of its append; it has few rows (D-449)."""
        rows = planned_whole(repair.rows, append.erased)
        append = await self._keys.ready(append, owners_of(rows))
        packed = PackedRepair(
            tuple([(table, [*values]) for table, values in packed_rows(rows, self._vault)]),
            tuple([(ROW_TABLES[kind].name, key) for kind, key in repair.stray_rows]),
            tuple([(each.holder, each.subject) for each in repair.stray_holders]),
            repair.stray_due,
            repair.tallies,
        )
        return PackedAppend(append, repair=packed)

    async def _packed_at_leisure(self, append: Append) -> PackedAppend:
        """Pack an append of many changes or rows, yielding to the event loop in between (C-94)."""
        planned, owners = await self._planned_at_leisure(append)
        append = await self._keys.ready(append, owners)
        events: list[StoredEvent] = []
        rows: list[tuple[str, Sequence[Any]]] = []
        for some in planned:
            # Others may have filled the vault's memory meanwhile.
            await self._keys.remember(sealed_for(some.events) | owners_of(some.rows), append)
            events += self._mapper.to_stored(some.events)
            rows += packed_rows(some.rows, self._vault)
            await asyncio.sleep(0)
        return PackedAppend(measured(append, events), events, rows)

    async def _planned_at_leisure(self, append: Append) -> tuple[list[_Planned], set[str]]:
        """Return an append in parts that are not yet sealed, and the owners of what is sealed in them."""
        planned: list[_Planned] = []
        owners: set[str] = set()
        for first in range(0, len(append.changes), MANY):
            events = self._mapper.planned(append, append.changes[first : first + MANY])
            owners |= sealed_for(events)
            planned.append(_Planned(events=events))
            await asyncio.sleep(0)
        for rows in planned_parts(append, self._written, MANY):
            owners |= owners_of(rows)
            planned.append(_Planned(rows=rows))
            await asyncio.sleep(0)
        return planned, owners


def looking_up(hmac: str) -> PackedAppend:
    """
    Return an append that writes nothing: it is refused with `PersonKnown`, or else with `Overtaken`.

    It would add a person, which is checked first, and has a checkpoint that no store is at.
    """
    nobody = PersonRecord("", "", hmac, SealKey("", 0, b""))
    asked = Append(
        at=datetime.now(UTC),
        actor="",
        request_id="",
        new_people=(nobody,),
        checkpoints=(_NEVER_REACHED,),
    )
    return PackedAppend(asked)


def probing() -> PackedAppend:
    """Return an append that only writes the setting `PROBE`."""
    nothing = Append(at=datetime.now(UTC), actor="", request_id="")
    return PackedAppend(nothing, settings=(PROBE,))

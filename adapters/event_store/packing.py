"""What a store hands to its writer, whichever that is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from ...application.ports.event_store import Append
from .packed_append import PackedAppend
from .read_model_tables import ROW_TABLES
from .stored_event import StoredEvent

# By the names of their tables.
ROW_SHAPES = {each.name: each.shape for each in ROW_TABLES.values()}
# By the rows' type: the name of their table, and what gives a row's values.
_PACKING = {kind: (table.name, table.values) for kind, table in ROW_TABLES.items()}
# A setting that means nothing.
PROBE = ("last_probe", "ok")


def packed(append: Append, events: Sequence[StoredEvent]) -> PackedAppend:
    """Give an append in stored form, of its events in theirs."""
    rows = []
    for row in append.rows:
        table, values = _PACKING[type(row)]
        rows.append((table, values(row)))
    return PackedAppend(append, events, rows)


def probing() -> PackedAppend:
    """Give an append that writes a setting which means nothing."""
    nothing = Append(at=datetime.now(UTC), actor="", request_id="")
    return PackedAppend(nothing, settings=(PROBE,))

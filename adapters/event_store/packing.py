"""What a store hands to its writer, whichever that is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ...application.ports.event_store import Append
from ...application.read_models.rows import Row
from .packed_append import PackedAppend
from .read_model_tables import ROW_TABLES
from .stored_event import StoredEvent

# By the names of their tables.
ROW_SHAPES = {each.name: each.shape for each in ROW_TABLES.values()}
# A setting that means nothing.
PROBE = ("last_probe", "ok")


def packed(append: Append, events: Sequence[StoredEvent]) -> PackedAppend:
    """Give an append in stored form, of its events in theirs."""
    return PackedAppend(append, events, [row_values(row) for row in append.rows])


def probing() -> PackedAppend:
    """Give an append that writes a setting which means nothing."""
    nothing = Append(at=datetime.now(UTC), actor="", request_id="")
    return PackedAppend(nothing, settings=(PROBE,))


def row_values(row: Row) -> tuple[str, Sequence[Any]]:
    """Give the name of a row's table, and its values as they are."""
    table = ROW_TABLES[type(row)]
    return table.name, table.values(row)

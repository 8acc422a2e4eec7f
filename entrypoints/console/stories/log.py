"""The events of the log itself in words: keys, restores, prunings, repairs and reads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....domain.audit_read import AuditRead
from ....domain.event import Event
from ....domain.log_history import (
    EventsPruned,
    LogKeyAdded,
    LogKeyRetired,
    PrunedPart,
    ReadModelsRepaired,
    StoreRestored,
)
from .telling import Told, counted, warn


def _pruned(event: EventsPruned) -> Told:
    if event.what is PrunedPart.STREAM:
        return Told(f"Retention drops {counted(event.size, 'event')} of streams that ended.")
    return Told(f"Retention takes what is personal out of {counted(event.size, 'event')}.")


def _repaired(event: ReadModelsRepaired) -> Told:
    replaced, removed = sum(event.replaced.values()), sum(event.removed.values())
    return warn(
        f"Rows that disagreed with the log were put right: {replaced:,} replaced, {removed:,} removed."
    )


LOG_STORIES: Mapping[type[Event], Any] = {
    LogKeyAdded: lambda _: Told("A key that signs heads of the log was added."),
    LogKeyRetired: lambda _: Told("A key signs no more heads of the log."),
    StoreRestored: lambda event: warn(
        f"The store was restored from a backup; {counted(event.kept_size, 'event')} stayed."
    ),
    EventsPruned: _pruned,
    ReadModelsRepaired: _repaired,
    AuditRead: lambda event: Told(f"Histories were read, in {counted(event.reads, 'answer')}."),
}

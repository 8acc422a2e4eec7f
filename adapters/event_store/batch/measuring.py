"""Counts the bytes of an append's events for conditions on a total."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve
from msgspec.structs import replace

from ....application.ports.event_store import Append
from ....domain.conditions import WithinTotal
from ..log.stored_event import StoredEvent


def measured(append: Append, events: Sequence[StoredEvent]) -> Append:
    """Return the append with the size of its events in each `WithinTotal` that has no amount."""
    for condition in append.conditions:
        if condition.__class__ is WithinTotal and condition.amount is None:
            size = sum(len(each.state) for each in events)
            break
    else:
        return append
    conditions = tuple(
        evolve(each, amount=size) if isinstance(each, WithinTotal) and each.amount is None else each
        for each in append.conditions
    )
    return replace(append, conditions=conditions)

"""The record of an account's guard."""

from __future__ import annotations

from ...domain.event import Event
from ...domain.guard import Guard, guard_decider, redecide
from .record import Record


def guard_stream(account_id: str) -> str:
    """Return the id of an account's guard, which is the account's own with another beginning."""
    return f"{GUARD.prefix}_{account_id.partition('_')[2] or account_id}"


def _person(_guard: Guard, event: Event) -> str | None:
    """Return the person in an event; the guard of an account belongs to none."""
    person_id: str | None = getattr(event, "person_id", None)
    return person_id


GUARD = Record(
    decider=guard_decider,
    prefix="grd",
    state=Guard,
    redecide=redecide,
    person=_person,
)

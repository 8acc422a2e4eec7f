"""Appends that record what happened to people who were erased meanwhile (C-74, D-346)."""

from __future__ import annotations

from msgspec.structs import replace

from ..domain.conditions import Hold, Release, SoleHolder
from ..domain.personal_subjects import is_personal
from .ports.event_store import Append


def without_person(append: Append, person_id: str) -> Append:
    """
    Return an append that seals nothing for a person who was erased.

    It releases at once the ids that providers gave to the person's messages. The erasure has dropped the
    others, and does not come back for these.
    """
    streams = {
        each.stream
        for each in append.changes
        if getattr(each.state, "person_id", None) == person_id
    }
    released = [
        Release(each.subject, each.holder)
        for each in append.conditions
        if isinstance(each, SoleHolder | Hold)
        and each.holder in streams
        and is_personal(each.subject)
    ]
    return replace(
        append,
        erased=append.erased | {person_id},
        conditions=(*append.conditions, *released),
    )

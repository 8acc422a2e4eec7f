"""
Rebuilds the state of a stream from its events in the history.

The result reveals nothing that the history hides: hashes are `***`, and with a masked history personal
data is `***` too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from attrs import frozen

from ...adapters.event_store.log.event_types import EVENT_TYPES
from ...adapters.event_store.log.upcasters import UPCASTERS
from ...application.records import record_of
from ...domain.errors import DomainError
from ...domain.event import MASK, Event
from ...domain.pin import Pin
from .codec import unstructure
from .structuring import structure

Record = Mapping[str, Any]


class NotReadable(Exception):
    """An event has a form that this release cannot read, or there is no event up to that time."""


@frozen
class Step:
    """One event in its envelope, with the values that changed, including the status."""

    envelope: Record
    changes: Mapping[str, Any]


@frozen
class Rebuilt:
    """A stream up to a time: its kind, its steps and its state after them."""

    kind: str
    steps: Sequence[Step]
    state: Record


def rebuilt(history: Sequence[Record], at: datetime | None = None) -> Rebuilt:
    """Replay a history up to `at`, or all of it; raises `NotReadable`."""
    events = [(envelope, _event(envelope)) for envelope in history]
    decider = record_of(events[0][1]).decider
    if not isinstance(events[0][1], decider.beginnings):
        raise NotReadable(
            f"No {decider.kind} begins with {history[0]['type']}. Run `watchword audit check`."
        )
    passed = [(envelope, event) for envelope, event in events if at is None or event.at <= at]
    if not passed:
        raise NotReadable(
            "Nothing had happened yet at that time. The first event is of"
            f" {history[0]['occurredAt']}."
        )
    steps, state, status = [], None, None
    for envelope, event in passed:
        if state is not None and not isinstance(event, decider.later):
            raise NotReadable(
                f"{envelope['type']} cannot follow the first event of its {decider.kind}."
                " Run `watchword audit check`."
            )
        changes = dict(_changes(envelope["data"], unstructure(state)))
        state = decider.fold([event], state)
        after = _shown(state, event.at).get("status")
        if after != status:
            changes["status"] = status = after
        steps.append(Step(envelope, changes))
    return Rebuilt(decider.kind, steps, _shown(state, at or passed[-1][1].at))


def _event(envelope: Record) -> Event:
    name, schema = envelope["type"], envelope["schema"]
    # The history shows data in the newest form, whichever form was stored.
    while (name, schema) in UPCASTERS:
        schema += 1
    kind = EVENT_TYPES.get((name, schema))
    try:
        if kind is not None:
            return structure({**envelope["data"], "at": envelope["occurredAt"]}, kind)
    except DomainError:
        pass
    raise NotReadable(
        f"This release does not know {envelope['type']} events of form {envelope['schema']}."
        " Use the service's own release."
    )


def _changes(data: Record, before: Any) -> Iterator[tuple[str, Any]]:
    known = before if isinstance(before, Mapping) else {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            for inner, changed in _changes(value, known.get(name)):
                yield f"{name}.{inner}", changed
        # A masked value may have changed under its mask.
        elif value == MASK or (value not in (None, []) and value != known.get(name)):
            yield name, value


def _shown(state: Any, at: datetime) -> Record:
    shown: dict[str, Any] = unstructure(state)
    if isinstance(state, Pin):
        life = shown.pop("life")
        shown = {
            "status": state.status_at(at),
            **{f"superseded{name.capitalize()}": value for name, value in life.items()},
            **shown,
        }
    return shown

"""A state rebuilt from what the history shows is the state that the events left."""

from __future__ import annotations

import json
from typing import Any

import attrs
import pytest
from hypothesis import given

from tests.strategies import events
from watchword.application.ports.event_store import Recorded
from watchword.application.records import record_of
from watchword.domain.event import MASK, Event, secret_fields
from watchword.entrypoints.wire.codec import encode, unstructure
from watchword.entrypoints.wire.rebuilding import NotReadable, rebuilt
from watchword.entrypoints.wire.shown_events import shown_event


def shown(event: Event, *, mask: bool = False) -> dict[str, object]:
    """Show an event as the first of its stream, as it comes over HTTP."""
    recorded = Recorded(
        position=1,
        event_id="evt_1",
        stream="stream-1",
        version=1,
        type=type(event).__name__,
        schema=1,
        actor="admin",
        request_id="req_1",
        event=event,
    )
    shown: dict[str, object] = json.loads(encode(shown_event(recorded, mask=mask)))
    return shown


def without_secrets(value: Any) -> Any:
    """Put masks where an event, or a value inside it, has secrets."""
    if isinstance(value, tuple):
        return tuple(without_secrets(each) for each in value)
    if not attrs.has(type(value)):
        return value
    secrets = set(secret_fields(type(value)))
    veiled = {}
    for each in attrs.fields(type(value)):
        held = getattr(value, each.name)
        instead = MASK if each.name in secrets and held is not None else without_secrets(held)
        if instead != held:
            veiled[each.name] = instead
    return attrs.evolve(value, **veiled)


@given(events)
def test_every_event_can_be_rebuilt_from(event: Event) -> None:
    """Nothing but secrets is lost on the way over HTTP, for any event."""
    masked = without_secrets(event)
    decider = record_of(event).decider
    state = unstructure(decider.fold([masked]))
    state.pop("life", None)
    replay = rebuilt([shown(event)])

    assert decider.kind == replay.kind
    assert state == {name: replay.state[name] for name in state}


@given(events)
def test_a_masked_event_can_be_rebuilt_from(event: Event) -> None:
    """Masks stand where values of the same type would."""
    assert record_of(event).decider.kind == rebuilt([shown(event, mask=True)]).kind


@given(events)
def test_events_of_a_later_release_are_said(event: Event) -> None:
    """A form of an event that this release does not know is not guessed at."""
    with pytest.raises(NotReadable, match="does not know"):
        rebuilt([{**shown(event), "schema": 99}])

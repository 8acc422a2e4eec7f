"""Old forms of events are brought forward when they are read, one version at a time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from attrs import frozen

from tests.contracts.event_store.histories import NOON, step
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.lines import open_line_of
from watchword.adapters.event_store.log.mapper import EventMapper, UnreadableEvent
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.adapters.event_store.log.upcasters import UPCASTERS
from watchword.adapters.vault import Vault
from watchword.application.ports.event_store import Change
from watchword.domain.event import Event


@frozen(kw_only=True)
class KettleBoiled(Event):
    """An event in its third form; the first had `fahrenheit`, the second no `litres`."""

    celsius: int
    litres: int


def in_celsius(data: dict[str, Any]) -> dict[str, Any]:
    """Bring the first form to the second."""
    return {"celsius": (data["fahrenheit"] - 32) * 5 // 9}


def with_litres(data: dict[str, Any]) -> dict[str, Any]:
    """Bring the second form to the third."""
    return {**data, "litres": 1}


MAPPER = EventMapper(
    Vault(None),
    {("KettleBoiled", 3): KettleBoiled},
    {("KettleBoiled", 1): in_celsius, ("KettleBoiled", 2): with_litres},
)


def stored(schema: int, data: dict[str, Any]) -> StoredEvent:
    """Return a boiled kettle as a release of that time stored it."""
    envelope = {"id": "evt_1", "at": "2031-05-04T12:00:00Z", "actor": "a", "request": "r"}
    state = json.dumps({**envelope, "account": None, "data": data}).encode() + b"\n\n"
    return StoredEvent("kettle", 1, f"KettleBoiled/{schema}", state)


@pytest.mark.parametrize(
    ("schema", "data", "litres"),
    [
        (1, {"fahrenheit": 212}, 1),
        (2, {"celsius": 100}, 1),
        (3, {"celsius": 100, "litres": 2}, 2),
    ],
)
def test_every_form_is_read_as_the_newest(schema: int, data: dict[str, Any], litres: int) -> None:
    """An event of any version that was ever stored is read; its envelope says which it was."""
    recorded = MAPPER.to_recorded(stored(schema, data), 1, {})

    assert KettleBoiled(at=NOON, celsius=100, litres=litres) == recorded.event
    assert schema == recorded.schema


def test_events_are_written_in_the_newest_form() -> None:
    """Only the newest version is written, with its time in the envelope alone."""
    event = KettleBoiled(at=NOON, celsius=100, litres=2)
    (state,) = MAPPER.to_stored(MAPPER.planned(step(Change("kettle", 0, (event,), None))))

    assert "KettleBoiled/3" == state.topic
    assert {"celsius": 100, "litres": 2} == json.loads(open_line_of(state.state))["data"]


def test_a_form_of_the_future_is_refused() -> None:
    """A version that only a newer release knows is not guessed at."""
    with pytest.raises(UnreadableEvent):
        MAPPER.to_recorded(stored(4, {"celsius": 100, "litres": 1}), 1, {})


def test_every_old_form_leads_to_one_that_is_read() -> None:
    """Each upcaster ends at the next version, up to the registered one."""
    leads = {(name, schema + 1) for name, schema in UPCASTERS}

    assert set() == leads - EVENT_TYPES.keys() - UPCASTERS.keys()
    assert set() == UPCASTERS.keys() & EVENT_TYPES.keys()

"""
Golden files: one stored state of every version of every event, readable for ever.

A file is what a store of that time holds. It is added with its version and never changed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.mapper import EventMapper
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.adapters.event_store.log.upcasters import UPCASTERS
from watchword.application.ports.event_store import Append, Change, Recorded

GOLDEN = Path(__file__).parents[3] / "golden" / "events"
MAPPER = EventMapper()


def read(name: str, schema: int) -> tuple[dict[str, Any], Recorded]:
    """Return a golden state, and what the mapper reads in it."""
    state = (GOLDEN / f"{name}.{schema}.json").read_bytes().strip()
    recorded = MAPPER.to_recorded(StoredEvent("golden", 1, f"{name}/{schema}", state), 1)
    return json.loads(state), recorded


def test_every_version_of_every_event_has_its_golden_file() -> None:
    """Every version that was ever stored has an example here, and every example is still readable."""
    versions = EVENT_TYPES.keys() | UPCASTERS.keys()

    assert {f"{name}.{schema}.json" for name, schema in versions} == {
        each.name for each in GOLDEN.iterdir()
    }


@pytest.mark.parametrize(("name", "schema"), sorted(EVENT_TYPES.keys() | UPCASTERS.keys()))
def test_a_golden_file_is_read(name: str, schema: int) -> None:
    """An event stored under any version is read with its envelope."""
    envelope, recorded = read(name, schema)

    assert (name, schema) == (recorded.type, recorded.schema)
    assert envelope["id"] == recorded.event_id
    assert envelope["actor"] == recorded.actor
    assert envelope["request"] == recorded.request_id


@pytest.mark.parametrize(("name", "schema"), EVENT_TYPES)
def test_a_golden_file_of_today_is_written_as_it_stands(name: str, schema: int) -> None:
    """The event of a newest version, written again, is the same state, but for its new id."""
    envelope, recorded = read(name, schema)
    (again,) = MAPPER.to_stored(
        Append(
            at=recorded.event.at,
            actor=recorded.actor,
            request_id=recorded.request_id,
            changes=(Change("golden", 0, (recorded.event,), None),),
        )
    )

    assert f"{name}/{schema}" == again.topic
    assert envelope == {**json.loads(again.state), "id": envelope["id"]}


@pytest.mark.parametrize(("name", "schema"), EVENT_TYPES)
def test_a_golden_file_fills_every_field(name: str, schema: int) -> None:
    """An example holds a value for each field, so that none can change its form unnoticed."""
    envelope, _ = read(name, schema)

    assert [] == [field for field, value in envelope["data"].items() if value in (None, "", [], {})]

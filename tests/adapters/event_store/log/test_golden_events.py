"""
Golden files: one stored state of every version of every event, readable for ever.

A file is what a store of that time holds, in three lines. It is added with its version and never
changed. `tools/golden_events.py` makes it of a draft, under keys that are no secret.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.golden_events import GOLDEN, STREAM, drafted, golden, golden_keys, golden_vault, main
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.lines import lines_of
from watchword.adapters.event_store.log.mapper import EventMapper
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.adapters.event_store.log.upcasters import UPCASTERS
from watchword.application.ports.event_store import Recorded

MAPPER = EventMapper(golden_vault())


def state_of(name: str, schema: int) -> bytes:
    """Return a golden state."""
    return (GOLDEN / f"{name}.{schema}.txt").read_bytes().removesuffix(b"\n")


def read(name: str, schema: int) -> tuple[dict[str, Any], Recorded]:
    """Return a golden state in clear, and what the mapper reads in it."""
    state = state_of(name, schema)
    keys = golden_keys(MAPPER.owners([(STREAM, state)]))
    recorded = MAPPER.to_recorded(StoredEvent(STREAM, 1, f"{name}/{schema}", state), 1, keys)
    return drafted(state), recorded


def test_every_version_of_every_event_has_its_golden_file() -> None:
    """Every version that was ever stored has an example here, and every example is still readable."""
    versions = EVENT_TYPES.keys() | UPCASTERS.keys()

    assert {f"{name}.{schema}.txt" for name, schema in versions} == {
        each.name for each in GOLDEN.iterdir()
    }


@pytest.mark.parametrize(("name", "schema"), sorted(EVENT_TYPES.keys() | UPCASTERS.keys()))
def test_a_golden_file_is_read(name: str, schema: int) -> None:
    """An event stored under any version is read with its envelope."""
    draft, recorded = read(name, schema)

    assert (name, schema) == (recorded.type, recorded.schema)
    assert draft["id"] == recorded.event_id
    assert draft["actor"] == recorded.actor
    assert draft["request"] == recorded.request_id
    assert draft["account"] == recorded.account
    assert draft.get("person") == recorded.person


@pytest.mark.parametrize(("name", "schema"), EVENT_TYPES)
def test_a_golden_file_of_today_is_written_as_it_stands(name: str, schema: int) -> None:
    """The event of a newest version, written again, has the same lines, and seals the same."""
    state = state_of(name, schema)
    again = golden(name, schema, drafted(state))

    assert lines_of(state)[::2] == lines_of(again)[::2]
    assert bool(lines_of(state).sealed) == bool(lines_of(again).sealed)
    assert drafted(state) == drafted(again)
    keys = golden_keys(MAPPER.owners([(STREAM, state)]))
    stored = StoredEvent(STREAM, 1, f"{name}/{schema}", state)
    assert MAPPER.to_kept(stored, 1, keys).as_written


@pytest.mark.parametrize(("name", "schema"), EVENT_TYPES)
def test_a_golden_file_fills_every_field(name: str, schema: int) -> None:
    """An example holds a value for each field, so that none can change its form unnoticed."""
    draft, _ = read(name, schema)

    assert [] == [field for field, value in draft["data"].items() if value in (None, "", [], {})]


def test_a_golden_file_becomes_a_draft_and_a_golden_file_again(tmp_path: Path) -> None:
    """An event whose form changes before a release has it is edited in clear."""
    state = state_of("PinIssued", 1)
    (tmp_path / "PinIssued.1.txt").write_bytes(state + b"\n")
    main(["PinIssued"], tmp_path)
    draft = tmp_path / "PinIssued.1.json"
    text = draft.read_text().replace(json.loads(draft.read_text())["data"]["destination"], "+49301")
    draft.write_text(text)
    main([], tmp_path)
    again = (tmp_path / "PinIssued.1.txt").read_bytes().removesuffix(b"\n")

    assert ["PinIssued.1.txt"] == [each.name for each in tmp_path.iterdir()]
    assert lines_of(state)[::2] == lines_of(again)[::2]
    assert "+49301" == drafted(again)["data"]["destination"]

"""Every event that can be stored is told in words, without what is personal or secret in it."""

from __future__ import annotations

import re
from typing import Any

import attrs
import pytest
from hypothesis import given

from tests.strategies import events
from tools.golden_events import GOLDEN, STREAM, golden_keys, golden_vault
from watchword.adapters.event_store.log.event_types import EVENT_TYPES
from watchword.adapters.event_store.log.mapper import EventMapper
from watchword.adapters.event_store.log.stored_event import StoredEvent
from watchword.domain.event import MASK, Event, personal_fields, secret_fields
from watchword.entrypoints.console.stories import STORIES, told

MAPPER = EventMapper(golden_vault())


def golden_event(name: str, schema: int) -> Event:
    """Return the example of an event that has a value for each field."""
    state = (GOLDEN / f"{name}.{schema}.txt").read_bytes().removesuffix(b"\n")
    keys = golden_keys(MAPPER.owners([(STREAM, state)]))
    return MAPPER.to_recorded(StoredEvent(STREAM, 1, f"{name}/{schema}", state), 1, keys).event


def test_no_event_falls_through() -> None:
    """Each class of the registry has a sentence, and there is none for anything else."""
    assert set(EVENT_TYPES.values()) == set(STORIES)


@pytest.mark.parametrize(("name", "schema"), sorted(EVENT_TYPES))
def test_it_is_a_sentence(name: str, schema: int) -> None:
    """It begins with a capital, ends with a stop, and shows nothing of how Python writes values."""
    sentence = told(golden_event(name, schema)).sentence

    assert re.fullmatch(r"[A-Z][^<>{}()]*[A-Za-z0-9]\.", sentence)
    assert not re.search(r"None|True|False|[A-Z]{3,}_|\.\.", sentence)


@given(event=events)
def test_it_tells_nothing_personal_or_secret(event: Event) -> None:
    """The sentence is the same for an event whose personal and secret members are hidden."""
    assert told(hidden(event)) == told(event)


def hidden(value: Any) -> Any:
    """Return a value in which every personal and secret text is the mask."""
    if isinstance(value, tuple):
        return tuple(map(hidden, value))
    if not attrs.has(type(value)):
        return value
    marked = {*personal_fields(type(value)), *secret_fields(type(value))}
    facts = {each.name: getattr(value, each.name) for each in attrs.fields(type(value))}
    return attrs.evolve(
        value,
        **{
            name: masked(fact) if name in marked else hidden(fact)
            for name, fact in facts.items()
            if not (name in marked and fact is None) and attrs.fields_dict(type(value))[name].init
        },
    )


def masked(value: Any) -> Any:
    """Return a hidden value of the same shape."""
    match value:
        case dict():
            return dict.fromkeys(value, MASK)
        case tuple():
            return tuple(map(masked, value))
        case _:
            return MASK

"""After an erasure every history still folds, shows its rows, and is as lawful as it was (C-74)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs
from hypothesis import given

from tests.adapters.event_store.log.owners import ACCOUNT, KEYS, PERSON, VAULT, stored
from tests.strategies import EVENTS, stories
from watchword.adapters.event_store.log.mapper import EventMapper
from watchword.adapters.event_store.rows.erasing import erased_row
from watchword.application.audit.checking import CLOCK_STEP
from watchword.application.audit.differences import Difference, row_differences
from watchword.application.audit.replaying import Replaying
from watchword.application.ports.sealer import SealKey
from watchword.application.ports.snapshot import KeptRow
from watchword.application.records import held_by, record_of, row_of
from watchword.domain.event import Event
from watchword.domain.message import MessageSubmitted

MAPPER = EventMapper(VAULT)


def tagged(event: Any) -> tuple[Event, ...]:
    """Return the history of a message with a tag."""
    return (attrs.evolve(event, tags={"tag1": "rose"}),)


TAGGED = EVENTS[MessageSubmitted].map(tagged)


def wrong_in(story: Sequence[Event], keys: Mapping[str, SealKey]) -> set[tuple[str, str]]:
    """Return what an audit finds in a stored history that it opens with some keys."""
    record = record_of(story[0])
    stream = f"{record.prefix}_rose"
    replaying = Replaying(stream, CLOCK_STEP)
    found: list[Difference] = []
    for number, event in enumerate(story, start=1):
        state = stored(event, account=ACCOUNT, person=PERSON)._replace(
            originator_id=stream, originator_version=number
        )
        found += replaying.take(MAPPER.to_kept(state, number, keys))
    found += replaying.end()
    return {(each.kind, each.field) for each in found}


@given(stories())
def test_an_erased_history_is_as_lawful_as_before(story: tuple[Event, ...]) -> None:
    """The erasure of its person and its account makes no difference that was not there."""
    assert wrong_in(story, {}) <= wrong_in(story, KEYS)


@given(stories())
def test_an_erased_history_still_has_its_state(story: tuple[Event, ...]) -> None:
    """It folds, and has a row and subjects, as before."""
    record = record_of(story[0])
    state = record.decider.fold(MAPPER.to_events([stored(each) for each in story], {}))
    before = record.decider.fold(story)

    assert type(before) is type(state)
    shown = None
    with suppress(ValueError):
        # A generated hash may name no version of a key.
        shown = row_of("id", before)
    assert shown is None or type(shown) is type(row_of("id", state))
    assert len(held_by(before)) == len(held_by(state))


@given(stories() | TAGGED)
def test_the_row_of_an_erased_history_is_as_the_audit_expects(story: tuple[Event, ...]) -> None:
    """A member that follows from what was sealed, such as a tag, is no difference."""
    record = record_of(story[0])
    try:
        row = row_of("id", record.decider.fold(story))
    except ValueError:
        # A generated hash may name no version of a key.
        return
    if row is None:
        return
    erased = record.decider.fold(MAPPER.to_events([stored(each) for each in story], {}))
    kept = KeptRow("id", erased_row(row), is_open=False)

    assert [] == [*row_differences(type(row), "id", row_of("id", erased), [kept])]

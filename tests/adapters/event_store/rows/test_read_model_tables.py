"""The tables of the read models."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from attrs import fields
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.event_store.rows.stored_rows import Shelf
from tests.contracts.event_store.sample_rows import CHANGED, SAMPLES
from tests.contracts.event_store.sample_statistics import STATISTICS_ROWS
from tests.strategies import EVENTS
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.application.records import READ_MODELS, REPLAYED, row_of
from watchword.application.records.callback_delivery import CallbackDeliveryRow
from watchword.application.records.legacy_token import LegacyTokenRow
from watchword.application.records.pin import VerificationRow
from watchword.application.records.read_model import Row
from watchword.domain.event import Event
from watchword.domain.fallback_run import FallbackArmed, fallback_run_decider
from watchword.domain.message import (
    MessageDispatched,
    MessageEnded,
    MessageReceived,
    MessageReported,
    MessageSubmitted,
    message_decider,
)

message_lives = st.tuples(
    EVENTS[MessageSubmitted] | EVENTS[MessageReceived],
    st.lists(
        EVENTS[MessageDispatched] | EVENTS[MessageReported] | EVENTS[MessageEnded], max_size=4
    ),
)
run_lives = st.tuples(
    EVENTS[FallbackArmed],
    st.lists(
        st.one_of(
            [EVENTS[each] for each in fallback_run_decider.events if each is not FallbackArmed]
        ),
        max_size=4,
    ),
)


def kinds_of(row: type[Row]) -> set[type[Row]]:
    """Return the kinds of rows that are the base of no other."""
    below = row.__subclasses__()
    return set().union(*map(kinds_of, below)) if below else {row}


def test_every_read_model_is_stored_and_audited() -> None:
    """A new list gets a table; the audit checks every list that events determine."""
    assert kinds_of(Row) == {each.row for each in READ_MODELS} == set(ROW_TABLES)
    of_the_statistics = {type(each) for each in STATISTICS_ROWS}
    assert {CallbackDeliveryRow, LegacyTokenRow, *of_the_statistics} == set(ROW_TABLES) - {
        each.row for each in REPLAYED
    }


def test_what_may_change_of_a_row_is_tried_on_every_store() -> None:
    """The contract of the stores changes every column that an append may write again, and no other."""
    tried = {type(row): changed_columns(SAMPLES[type(row)], row) for row in CHANGED}
    may_change = {rows: {*table.model.changing} for rows, table in ROW_TABLES.items()}

    assert {rows: names for rows, names in may_change.items() if names} == tried


def changed_columns(before: Row, after: Row) -> set[str]:
    """Return the columns in which two rows differ."""
    names = [each.name for each in fields(type(before))]
    return {name for name in names if getattr(before, name) != getattr(after, name)}


def kept(row: Row) -> Row:
    """Return a row as it comes back out of its table."""
    shelf = Shelf.new()
    return shelf.read(type(row), shelf.stored(row))


@pytest.mark.parametrize("text", ["", ",", "sms", ",sms", "sms,", ",sms,,email,", 7, b",sms,"])
def test_a_list_of_words_that_was_tampered_with_is_not_read(text: object) -> None:
    """An audit sees a row that cannot be read, or other words than the log has; nothing fails."""
    shelf = Shelf.new()
    sample = SAMPLES[VerificationRow]
    values = shelf.stored(sample)
    values[ROW_TABLES[VerificationRow].shape.columns.index("channel_names")] = text

    assert sample != shelf.audited(VerificationRow, values).row


@given(message_lives)
def test_the_row_of_any_message_can_be_kept(life: tuple[Event, Sequence[Event]]) -> None:
    """The row of a message with any history is read as it was written."""
    begun, later = life
    row = row_of("msg_a", message_decider.fold((begun, *later)))

    assert row is not None
    assert row == kept(row)


@given(run_lives)
def test_the_row_of_any_run_can_be_kept(life: tuple[Event, Sequence[Event]]) -> None:
    """The row of a run with any history, in any order, is read as it was written."""
    armed, later = life
    row = row_of("run_a", fallback_run_decider.fold((armed, *later)))

    assert row is not None
    assert row == kept(row)

"""Rows on disk: no personal text in clear, and nothing that was put there by others reads as theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.event_store.rows.stored_rows import Shelf, appending, no_row
from tests.contracts.event_store.sample_rows import (
    CALLBACK_DELIVERY,
    CHANGED,
    CONSENT,
    MESSAGE,
    SAMPLES,
    VERIFICATION,
)
from tests.strategies import EVENTS
from watchword.adapters.event_store.rows.read_model_tables import ROW_TABLES
from watchword.adapters.event_store.rows.row_packing import owners_of, planned_rows, rows_written
from watchword.adapters.event_store.rows.sealed_column import MARK
from watchword.adapters.vault import Vault
from watchword.application.ports.event_store import Change, Loaded
from watchword.application.records import row_of
from watchword.application.records.message import MessageRow
from watchword.application.records.pin import VerificationRow
from watchword.application.records.read_model import Row, personal_members
from watchword.domain.channel import ChannelOutcome
from watchword.domain.event import ERASED, MASK, personal_fields
from watchword.domain.message import MessageReceived, MessageSubmitted, message_decider
from watchword.domain.pin import PinIssued, pin_decider

ALL = pytest.mark.parametrize(
    "row", [*SAMPLES.values(), *CHANGED], ids=lambda row: type(row).__name__
)
DISPATCHED = evolve(
    VERIFICATION,
    channels=(
        {
            "channel": "sms",
            "status": "accepted",
            "provider_message_id": "wamid.HBgM919812345610",
            "error_message": None,
        },
        {
            "channel": "email",
            "status": "rejected",
            "provider_message_id": None,
            "error_message": "no such person: +919812345610",
        },
    ),
)


def personal_texts(row: Row) -> Iterator[str]:
    """Yield the personal texts of a row that are long enough to be recognized."""
    for name in personal_fields(type(row)):
        value = getattr(row, name)
        yield from (*value, *value.values()) if isinstance(value, Mapping) else (value or "",)
    for name, inner in personal_members(type(row)):
        for entry in getattr(row, name):
            yield from (entry.get(each) or "" for each in inner)


def shown(row: Row, values: list[Any]) -> list[str]:
    """Return the personal texts of a row that one of its columns shows."""
    written = " ".join(str(each) for each in values)
    return [each for each in personal_texts(row) if len(each) > 6 and each in written]


@ALL
def test_no_column_shows_a_personal_text(row: Row) -> None:
    """Neither those that never change, nor those that do, nor those inside lists."""
    values = dict(zip(ROW_TABLES[type(row)].shape.columns, Shelf.new().stored(row), strict=True))
    # What the samples also have in open columns says nothing of the personal ones.
    open_values = [each for name, each in values.items() if each not in attrs.astuple(row)]

    assert [] == shown(row, open_values)


@given(EVENTS[MessageSubmitted] | EVENTS[MessageReceived])
def test_no_message_shows_a_personal_text(event: Any) -> None:
    """Whatever the sender, the recipient, the references, the tags and the URL are."""
    row = row_of("msg_a", message_decider.fold((event,)))
    assert isinstance(row, MessageRow)
    values = Shelf.new().stored(row)
    names = ROW_TABLES[MessageRow].shape.columns

    assert not {"person_side", "cust_refs"} & {*names}
    assert all(
        values[names.index(each)] is None or len(values[names.index(each)]) == 32
        for each in ("reference", "tag1", "tag2", "tag3", "callback_url")
    )


@ALL
def test_every_row_reads_as_it_was_written(row: Row) -> None:
    """Also for an audit, which has the key here."""
    shelf = Shelf.new()
    values = shelf.stored(row)

    assert row == shelf.read(type(row), values)
    assert row == shelf.audited(type(row), values).row
    assert shelf.audited(type(row), values).is_open


@ALL
def test_a_row_without_its_key_reads_as_erased(row: Row) -> None:
    """Every type is kept; members without a value still have none, and open ones stay."""
    shelf = Shelf.new()
    values = shelf.stored(row)
    shelf.keys.clear()
    read = shelf.read(type(row), values)

    assert erased(row) == read
    assert (not any(personal_fields(type(row)))) == shelf.audited(type(row), values).is_open


def test_a_reader_without_the_code_key_sees_asterisks() -> None:
    """The key is there, but this reader cannot unwrap it."""
    shelf = Shelf.new()
    kept = shelf.audited(VerificationRow, shelf.stored(DISPATCHED), Vault(None))
    assert kept.row is not None

    assert not kept.is_open
    assert MASK == kept.row.destination
    assert kept.row.reference_id is None
    assert [MASK, None] == [each["provider_message_id"] for each in kept.row.channels]
    assert ["accepted", "rejected"] == [each["status"] for each in kept.row.channels]


def erased(row: Row) -> Row:
    """Return a row with `(erased)` for each personal value."""
    gone: dict[str, Any] = {}
    for name in personal_fields(type(row)):
        value = getattr(row, name)
        if value is not None:
            gone[name] = {ERASED: ERASED} if isinstance(value, Mapping) else ERASED
    for name, inner in personal_members(type(row)):
        gone[name] = tuple(
            {
                **entry,
                **{each: ERASED for each in inner if entry.get(each, ERASED) is not None},
            }
            for entry in getattr(row, name)
        )
    return evolve(row, **gone)


@pytest.mark.parametrize(("column", "is_found"), [("sealed", True), ("reference_id", True)])
def test_what_belongs_to_another_row_is_found(column: str, is_found: bool) -> None:
    """An audit sees a row that cannot be read, whichever column was swapped."""
    shelf = Shelf.new()
    place = ROW_TABLES[VerificationRow].shape.columns.index(column)
    values = shelf.stored(evolve(VERIFICATION, reference_id="order-17"))
    values[place] = shelf.stored(evolve(VERIFICATION, pin_id="pin-b", reference_id="o-18"))[place]

    assert is_found == (shelf.audited(VerificationRow, values).row is None)


def test_a_text_opens_in_its_own_column_with_its_own_mark() -> None:
    """A mark that was changed would hide a member, or show one that is not there."""
    shelf = Shelf.new()
    values = shelf.stored(evolve(DISPATCHED, reference_id="order-17"))
    *others, sealed, changing = values

    for swapped in ((changing, sealed), ("0001" + sealed[MARK:], changing)):
        assert shelf.audited(VerificationRow, [*others, *swapped]).row is None


def test_members_that_were_removed_are_found() -> None:
    """Without its members the row says that they are erased, and its event says otherwise."""
    shelf = Shelf.new()
    *others, sealed, changing = shelf.stored(DISPATCHED)

    for removed in (None, "", sealed[:MARK]):
        kept = shelf.audited(VerificationRow, [*others, removed, changing])
        assert kept.is_open
        assert kept.row is not None
        assert ERASED == kept.row.destination


@given(st.data())
def test_a_later_write_seals_only_what_changed(data: st.DataObject) -> None:
    """A verify seals nothing and needs no key; what the row has stays there."""
    issued = data.draw(EVENTS[PinIssued])
    assert isinstance(issued, PinIssued)
    before = pin_decider.fold((evolve(issued, code_hash="1$hash"),))
    row = row_of("pin_a", before)
    assert row is not None
    later = appending(row, changes=[Change("pin_a", 1, (), before)])
    written = rows_written(lambda _: Loaded(before, 1))
    planned = planned_rows(later, written)
    ((*_, sealed, changing),) = Shelf.new().written(later, written)

    assert set() == owners_of(planned)
    assert (None, None) == (sealed, changing)


def test_a_later_write_seals_what_may_have_changed() -> None:
    """Without the state of the version before, what the row has is not known."""
    shelf = Shelf.new()
    change = Change("pin-tea", 2, (), None)
    first = shelf.stored(VERIFICATION)
    (values,) = shelf.written(appending(DISPATCHED, changes=[change]))
    shape = ROW_TABLES[VerificationRow].shape

    assert values[-2] is None
    assert DISPATCHED == shelf.read(VerificationRow, shape.merged(first, values))


def test_two_writes_in_one_batch_are_one_whole_row() -> None:
    """The later one lacks what never changes, and what it did not change."""
    shelf = Shelf.new()
    change = Change("pin-tea", 1, (), None)
    first = shelf.stored(DISPATCHED)
    verified = evolve(DISPATCHED, status="VERIFIED")
    (later,) = shelf.written(appending(verified, changes=[change]))
    later[-1] = None

    merged = ROW_TABLES[VerificationRow].shape.merged(first, later)
    assert verified == shelf.read(VerificationRow, merged)


def test_one_append_that_begins_a_stream_and_goes_on_writes_a_whole_row() -> None:
    """The row is new although a change of the append goes on with its stream."""
    changes = [Change("pin-tea", 0, (), None), Change("pin-tea", 1, (), None)]

    assert all(
        each.is_new for each in planned_rows(appending(VERIFICATION, changes=changes), no_row)
    )


def test_what_an_append_writes_of_the_erased_is_erased() -> None:
    """It says which members there were; the row of another person is written whole."""
    of_person = evolve(CALLBACK_DELIVERY, person_id="per_gone")
    other = evolve(of_person, id="delivery-b", person_id="per_there")
    shelf = Shelf.new()
    gone, there = shelf.written(appending(of_person, other, erased=frozenset({"per_gone"})))

    assert {"per_there"} == shelf.keys.keys()
    assert evolve(of_person, body=ERASED, url=ERASED) == shelf.read(type(other), gone)
    assert other == shelf.read(type(other), there)


def test_an_erased_value_is_not_sealed_again() -> None:
    """A state from after an erasure has nothing to seal, and needs no key."""
    shelf = Shelf.new()
    values = shelf.stored(erased(DISPATCHED))

    assert {} == shelf.keys
    assert erased(DISPATCHED) == shelf.read(VerificationRow, values)


def test_the_person_of_a_row_owns_it_before_its_account() -> None:
    """An erasure of the person takes the key; without a person the row lives with its account."""
    of_person = evolve(CALLBACK_DELIVERY, person_id="per_tea")
    of_nobody = evolve(CALLBACK_DELIVERY, person_id=None)

    assert {"per_tea"} == owners_of(planned_rows(appending(of_person), no_row))
    assert {"account-tea"} == owners_of(planned_rows(appending(of_nobody), no_row))


def test_one_text_has_another_hmac_in_every_column_and_account() -> None:
    """Nobody can tell from the HMACs that two accounts, or two columns, have the same text."""
    shelf = Shelf.new()
    rows = (MESSAGE, evolve(MESSAGE, account_id="account-pot"))
    names = ROW_TABLES[MessageRow].shape.columns
    hashes = [
        shelf.stored(evolve(row, reference="spring-17", tag1="spring-17"))[names.index(each)]
        for row in rows
        for each in ("reference", "tag1")
    ]

    assert 4 == len({*hashes})


def test_a_consent_is_sealed_anew_when_its_spelling_changes() -> None:
    """The number is spelled as in the latest request."""
    shelf = Shelf.new()
    first = shelf.stored(CONSENT)
    respelled = evolve(CONSENT, recipient="+91 (981) 23-45-610")
    (later,) = shelf.written(appending(respelled, changes=[Change("consent-tea", 1, (), None)]))
    merged = ROW_TABLES[type(CONSENT)].shape.merged(first, later)

    assert respelled == shelf.read(type(CONSENT), merged)


def test_a_consent_of_another_person_is_sealed_for_that_person() -> None:
    """A number that was erased and met again has another key, and may be spelled as before."""
    again = evolve(CONSENT, person_id="per_again")
    change = Change("consent-tea", 1, (), None)
    planned = planned_rows(appending(again, changes=[change]), lambda *_: CONSENT)

    assert {"per_again"} == owners_of(planned)
    assert set() == owners_of(
        planned_rows(appending(CONSENT, changes=[change]), lambda *_: CONSENT)
    )


def test_outcomes_have_the_members_that_are_sealed() -> None:
    """A renamed field of an outcome would otherwise stand in clear."""
    ((name, inner),) = personal_members(VerificationRow)

    assert "channels" == name
    assert {*inner} <= {each.name for each in attrs.fields(ChannelOutcome)}

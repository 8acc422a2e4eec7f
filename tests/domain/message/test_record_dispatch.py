"""Recording a provider's outcome of a message, or an unknown one (C-22, C-23, C-40, D-35, D-37)."""

from tests.domain.message.story import (
    DELIVERED,
    PARKED,
    READ,
    SENT,
    SUBJECT,
    dispatched,
    ended,
    interrupted,
    known_by_its_id,
    receipt,
    record,
    refused,
    reported,
    second,
    stayed_silent,
    submitted,
    took,
)
from tests.specs import given, state_after
from watchword.application.records import held_by
from watchword.domain.channel import OutcomeStatus
from watchword.domain.message import Happened, MessageStatus, record_dispatch


def test_an_accepted_message_alone_holds_its_providers_id() -> None:
    """The provider took it: receipts find it by the provider's id from now on (C-22)."""
    (
        given(submitted())
        .when(record_dispatch, record(1, took()))
        .then(dispatched(1))
        .on_condition(known_by_its_id())
        .leaving(
            status=MessageStatus.ACCEPTED,
            outcome=took(),
            known_as=SUBJECT,
            history=(Happened(OutcomeStatus.ACCEPTED, second(1)),),
        )
    )


def test_what_a_message_holds_can_be_replayed() -> None:
    """The state contains what the conditions left, so the audit can compare it."""
    assert frozenset() == held_by(state_after(submitted()))
    assert frozenset() == held_by(state_after(submitted(), dispatched(1, refused())))
    assert frozenset({SUBJECT}) == held_by(state_after(submitted(), dispatched(1)))


def test_receipts_that_were_faster_are_taken_in_with_the_outcome() -> None:
    """Parked receipts retire, and stand in the message's history in the same append (C-22)."""
    early = (receipt(SENT, 0.5), receipt(DELIVERED, 0.7))

    (
        given(submitted())
        .when(record_dispatch, record(1, took(), *early, retiring=frozenset({PARKED})))
        .then(dispatched(1), reported(1, early[0]), reported(1, early[1]))
        .on_condition(known_by_its_id(PARKED))
        .leaving(status=MessageStatus.DELIVERED)
    )


def test_an_acceptance_without_an_id_holds_nothing() -> None:
    """Without an id, or with a repeated one (D-37), the message gets no receipts."""
    (
        given(submitted())
        .when(record_dispatch, record(1, took(None)))
        .then(dispatched(1, took(None)))
        .on_condition()
        .leaving(known_as=None)
    )


def test_a_rejection_is_an_end() -> None:
    """The provider said no: `rejected`, with its error in the history."""
    (
        given(submitted())
        .when(record_dispatch, record(1, refused()))
        .then(dispatched(1, refused()))
        .on_condition()
        .leaving(
            status=MessageStatus.REJECTED,
            history=(Happened(OutcomeStatus.REJECTED, second(1), "no_such_table"),),
        )
    )


def test_silence_until_the_provider_time_out_counts_as_rejected() -> None:
    """The status is `rejected`; the history says that the outcome is unknown (C-40)."""
    (
        given(submitted())
        .when(record_dispatch, record(10, stayed_silent()))
        .leaving(
            status=MessageStatus.REJECTED,
            history=(Happened(OutcomeStatus.UNKNOWN, second(10), "provider_timeout"),),
        )
    )


def test_an_interrupted_dispatch_goes_on_reading_accepted() -> None:
    """Its outcome is unknown, and its fallback fires at the deadline (D-35)."""
    (
        given(submitted())
        .when(record_dispatch, record(30, interrupted()))
        .then(dispatched(30, interrupted()))
        .leaving(
            status=MessageStatus.ACCEPTED,
            history=(Happened(OutcomeStatus.UNKNOWN, second(30), "dispatch_interrupted"),),
        )
    )


def test_a_recovery_finds_nothing_to_do_where_somebody_reported() -> None:
    """Recorded outcomes stay, and a recovery is recorded once."""
    given(submitted(), dispatched(1)).when(record_dispatch, record(30, interrupted())).nothing()
    given(submitted(), dispatched(1, refused())).when(
        record_dispatch, record(30, interrupted())
    ).nothing()
    (
        given(submitted(), dispatched(30, interrupted()))
        .when(record_dispatch, record(31, interrupted()))
        .nothing()
    )


def test_a_real_outcome_after_the_recovery_is_recorded() -> None:
    """It was under way after all: its id is taken, a rejection ends it (as D-11 has it for PINs)."""
    recovered = given(submitted(), dispatched(30, interrupted()))

    (
        recovered.when(record_dispatch, record(31, took()))
        .then(dispatched(31))
        .on_condition(known_by_its_id())
        .leaving(status=MessageStatus.ACCEPTED, known_as=SUBJECT)
    )
    recovered.when(record_dispatch, record(31, refused())).leaving(status=MessageStatus.REJECTED)


def test_a_known_outcome_is_final() -> None:
    """A send repeated under the same reference after a crash is recorded once (C-20)."""
    given(submitted(), dispatched(1)).when(record_dispatch, record(2, took())).nothing()
    given(submitted(), dispatched(1, refused())).when(record_dispatch, record(2, took())).nothing()


def test_a_rejection_ends_a_message_that_has_not_arrived() -> None:
    """Earlier receipts count only if they report an arrival."""
    sent, read = reported(1, receipt(SENT, 1)), reported(1, receipt(READ, 1))
    rejection = record(2, refused())

    given(submitted(), sent).when(record_dispatch, rejection).leaving(status=MessageStatus.REJECTED)
    given(submitted(), read).when(record_dispatch, rejection).leaving(status=MessageStatus.READ)


def test_an_outcome_that_comes_after_the_end_moves_nothing() -> None:
    """A message that its fallback ended in flight keeps its status; the outcome is recorded."""
    for outcome in (took(), refused()):
        (
            given(submitted(), ended(5))
            .when(record_dispatch, record(6, outcome))
            .then(dispatched(6, outcome))
            .leaving(status=MessageStatus.EXPIRED)
        )

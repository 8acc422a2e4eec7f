"""Receipts for unknown provider ids, parked for 24 h and matched when the id appears (C-22)."""

import attrs
import pytest

from tests.domain.message.story import (
    COUNTER,
    DELIVERED,
    MESSAGE,
    PARKED,
    PROVIDER_ID,
    SENT,
    SUBJECT,
    receipt,
    second,
)
from tests.specs import given, state_after
from watchword.application.records import held_by
from watchword.domain.conditions import Release, SoleHolder
from watchword.domain.decider import Decision
from watchword.domain.event import ERASED
from watchword.domain.parked_receipt import (
    PARKED_FOR,
    DropReceipt,
    MatchReceipt,
    ParkedReceiptEvent,
    ParkReceipt,
    ReceiptDropped,
    ReceiptMatched,
    ReceiptParked,
    drop,
    match,
    park,
    redecide,
)
from watchword.domain.receipt import Receipt

DAY = 24 * 60 * 60
SENT_EARLY, DELIVERED_EARLY = receipt(SENT, 0), receipt(DELIVERED, 5)


def keep(at: float, told: Receipt) -> ParkReceipt:
    """Park a receipt without a known message."""
    return ParkReceipt(
        at=second(at),
        parked_id=PARKED,
        channel_account_id=COUNTER,
        provider_message_id=PROVIDER_ID,
        receipt=told,
    )


def parked(at: float, told: Receipt) -> ReceiptParked:
    """Return the event that a receipt waits."""
    return ReceiptParked(
        at=second(at),
        channel_account_id=COUNTER,
        provider_message_id=PROVIDER_ID,
        status=told.status,
        error_code=told.error_code,
        reported_at=told.reported_at,
    )


def matched(at: float) -> ReceiptMatched:
    """Return the event that the message appeared."""
    return ReceiptMatched(at=second(at), holder=MESSAGE)


def found(at: float) -> MatchReceipt:
    """Find the message."""
    return MatchReceipt(at=second(at), holder=MESSAGE)


def give_up(at: float) -> DropReceipt:
    """Come by to see whether the time is over."""
    return DropReceipt(at=second(at), parked_id=PARKED)


def test_a_receipt_is_parked_where_nobody_holds_the_id() -> None:
    """It retires no holder: if a message holds the id, the store's refusal names it."""
    (
        given()
        .when(park, keep(0, SENT_EARLY))
        .then(parked(0, SENT_EARLY))
        .on_condition(SoleHolder(SUBJECT, PARKED))
    )


def test_several_receipts_wait_in_the_order_in_which_they_came() -> None:
    """One stream for one id, an event for each, under the same condition."""
    assert (SENT_EARLY, DELIVERED_EARLY) == (
        state_after(parked(0, SENT_EARLY), parked(5, DELIVERED_EARLY)).receipts
    )
    assert park(keep(0, SENT_EARLY)).conditions == park(keep(5, DELIVERED_EARLY)).conditions


def test_a_match_gives_all_of_them_away_once() -> None:
    """The second to come finds nothing to match."""
    waiting = (parked(0, SENT_EARLY), parked(5, DELIVERED_EARLY))

    given(*waiting).when(match, found(6)).then(matched(6)).on_condition().leaving(receipts=())
    given(*waiting, matched(6)).when(match, found(7)).nothing()


def test_after_24_hours_the_receipts_are_dropped_and_the_id_is_free() -> None:
    """Nothing before that, and nothing twice."""
    waiting = given(parked(0, SENT_EARLY))

    waiting.when(drop, give_up(DAY - 0.001)).nothing()
    (
        waiting.when(drop, give_up(DAY))
        .then(ReceiptDropped(at=second(DAY)))
        .on_condition(Release(SUBJECT, PARKED))
        .leaving(receipts=(), drop_at=None)
    )
    (
        given(parked(0, SENT_EARLY), ReceiptDropped(at=second(DAY)))
        .when(drop, give_up(DAY + 1))
        .nothing()
    )


def test_every_receipt_waits_its_24_hours() -> None:
    """The stream waits for the newest of them."""
    waiting = given(parked(0, SENT_EARLY), parked(5, DELIVERED_EARLY))

    waiting.when(drop, give_up(DAY)).nothing()
    assert second(5) + PARKED_FOR == state_after(*waiting.past).drop_at


def test_matched_receipts_are_never_dropped() -> None:
    """The due row comes up, and the message has the receipts."""
    given(parked(0, SENT_EARLY), matched(1)).when(drop, give_up(DAY)).nothing()


@pytest.mark.parametrize("ended", [ReceiptDropped(at=second(DAY)), matched(DAY)])
def test_a_stream_takes_no_receipt_after_its_end(ended: ParkedReceiptEvent) -> None:
    """Its key has gone with its receipts, and the id with the key; a later receipt gets a new stream."""
    waiting = state_after(parked(0, SENT_EARLY))
    over = state_after(parked(0, SENT_EARLY), ended)

    assert [True, False] == [waiting.takes_more, over.takes_more]
    assert ERASED == over.provider_message_id
    assert Decision() == redecide(
        over, attrs.evolve(parked(DAY, SENT_EARLY), provider_message_id=ERASED)
    )


def test_a_stream_whose_key_is_lost_hands_its_id_to_a_new_one() -> None:
    """Nothing can be sealed for it any more, though its receipts wait."""
    lost = state_after(attrs.evolve(parked(0, SENT_EARLY), provider_message_id=ERASED))
    again = attrs.evolve(
        keep(5, DELIVERED_EARLY), parked_id="rcp_new", retiring=frozenset({PARKED})
    )

    assert not lost.takes_more
    given().when(park, again).on_condition(SoleHolder(SUBJECT, "rcp_new", frozenset({PARKED})))


def test_the_id_is_held_while_receipts_wait() -> None:
    """The state contains what the conditions left, so the audit can compare it."""
    waiting = parked(0, SENT_EARLY)

    assert frozenset({SUBJECT}) == held_by(state_after(waiting))
    assert frozenset() == held_by(state_after(waiting, matched(1)))
    assert frozenset() == held_by(state_after(waiting, ReceiptDropped(at=second(DAY))))

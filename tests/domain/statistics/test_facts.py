"""The facts of a PIN, after each of its events (C-103)."""

from __future__ import annotations

import pytest

from watchword.domain.channel import OutcomeStatus
from watchword.domain.price import Price
from watchword.domain.receipt import ReceiptStatus
from watchword.domain.statistics import (
    End,
    OnChannel,
    PinFacts,
    blocked,
    dispatched,
    erased,
    issued,
    reported,
    resent,
    superseded,
    verified,
)

ACCEPTED = OnChannel("sms", OutcomeStatus.ACCEPTED, "cha_tulip", "alpha")
UNKNOWN = OnChannel("sms", OutcomeStatus.UNKNOWN, "cha_tulip", "alpha")
REJECTED = OnChannel("sms", OutcomeStatus.REJECTED, "cha_tulip", "alpha")
CENT = Price("0.01", "EUR")


def new(*channels: str) -> PinFacts:
    """Return a PIN that was just issued."""
    return issued(
        "acc_1", "tpl_1", "GB", test=False, at=0, expires_at=60, channels=channels or ("sms",)
    )


def test_a_resend_begins_anew() -> None:
    """The PIN has another send, and the end of the one before is no longer its end."""
    pin = resent(superseded(new()), at=100, expires_at=160, channels=("email",))

    assert (2, None) == (len(pin.sends), pin.end)
    assert "email" == pin.sends[1].channels[0].channel


@pytest.mark.parametrize(
    ("outcome", "may_arrive", "end"),
    [(ACCEPTED, True, None), (UNKNOWN, True, None), (REJECTED, False, End.SUPERSEDED)],
)
def test_a_late_outcome_revives_a_superseded_pin(
    outcome: OnChannel, may_arrive: bool, end: End | None
) -> None:
    """If its code may arrive after all, it is the live one (D-144)."""
    assert end is dispatched(superseded(new()), 1, [outcome], may_arrive=may_arrive).end


def test_an_outcome_of_an_earlier_code_revives_nothing() -> None:
    """Only the newest code can be live."""
    pin = superseded(resent(new(), at=100, expires_at=160, channels=("sms",)))

    assert End.SUPERSEDED is dispatched(pin, 1, [ACCEPTED], may_arrive=True).end


def test_a_receipt_explains_an_unknown_outcome() -> None:
    """Its provider has the code, whichever was recorded first (C-68)."""
    after = reported(
        dispatched(new(), 1, [UNKNOWN], may_arrive=True), 1, "sms", ReceiptStatus.FAILED
    )
    before = dispatched(
        reported(new(), 1, "sms", ReceiptStatus.SENT), 1, [UNKNOWN], may_arrive=True
    )

    assert after.sends[0].channels[0].accepted
    assert before.sends[0].channels[0].accepted
    assert not dispatched(new(), 1, [UNKNOWN], may_arrive=True).sends[0].channels[0].accepted


def test_a_receipt_delivers_on_its_channel_alone() -> None:
    """A failure before it is final, and one after it changes nothing (C-22, C-50)."""
    pin = new("sms", "whatsapp")
    arrived = reported(reported(pin, 1, "sms", ReceiptStatus.READ), 1, "sms", ReceiptStatus.FAILED)
    given_up = reported(
        reported(pin, 1, "sms", ReceiptStatus.FAILED), 1, "sms", ReceiptStatus.DELIVERED
    )

    assert [True, False] == [each.delivered for each in arrived.sends[0].channels]
    assert [False, False] == [each.delivered for each in given_up.sends[0].channels]


def test_the_latest_price_that_was_told_stands() -> None:
    """A receipt without one leaves the one before."""
    pin = dispatched(new(), 1, [ACCEPTED._replace(price=CENT, segments=1)], may_arrive=True)
    pin = reported(pin, 1, "sms", ReceiptStatus.SENT, 2, Price("0.02", "EUR"))
    pin = reported(pin, 1, "sms", ReceiptStatus.DELIVERED)

    assert (2, Price("0.02", "EUR")) == pin.sends[0].channels[0][5:7]


def test_an_erasure_leaves_what_became_of_the_pin_before() -> None:
    """A verification stays one; a PIN that was still open is neither verified nor expired."""
    assert End.VERIFIED is erased(verified(new(), at=5)).end
    assert End.BLOCKED is erased(blocked(new())).end
    assert End.ERASED is erased(superseded(new())).end
    assert End.ERASED is erased(new()).end

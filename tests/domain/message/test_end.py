"""End a message for its fallback's sake: C-20, C-50."""

import pytest

from tests.domain.message.story import (
    DELIVERED,
    FAILED,
    READ,
    SENT,
    dispatched,
    end_it,
    ended,
    interrupted,
    receipt,
    received,
    refused,
    reported,
    second,
    submitted,
)
from tests.specs import given, state_after
from watchword.domain.event import Event
from watchword.domain.message import Ending, Happened, MessageStatus, end

ON_ITS_WAY = (submitted(), dispatched(1))


@pytest.mark.parametrize("revoked", [True, False])
@pytest.mark.parametrize(
    "past",
    [
        (submitted(),),
        ON_ITS_WAY,
        (*ON_ITS_WAY, reported(2, receipt(SENT, 2))),
        (submitted(), dispatched(30, interrupted())),
    ],
    ids=["in flight", "accepted", "sent", "interrupted"],
)
def test_a_message_on_its_way_is_ended(past: tuple[Event, ...], revoked: bool) -> None:
    """It reads `revoked` if the channel revoked it, else `expired` (C-50)."""
    word = Ending.REVOKED if revoked else Ending.EXPIRED

    (
        given(*past)
        .when(end, end_it(60, revoked=revoked))
        .then(ended(60, word))
        .on_condition()
        .leaving(status=MessageStatus(word))
    )
    assert (
        Happened(MessageStatus(word), second(60))
        == (state_after(*past, ended(60, word)).history[-1])
    )


@pytest.mark.parametrize(
    "past",
    [
        (*ON_ITS_WAY, reported(2, receipt(DELIVERED, 2))),
        (*ON_ITS_WAY, reported(2, receipt(READ, 2))),
        (*ON_ITS_WAY, reported(2, receipt(FAILED, 2))),
        (submitted(), dispatched(1, refused())),
        (*ON_ITS_WAY, ended(60)),
        (*ON_ITS_WAY, ended(60, Ending.REVOKED)),
        (received(0),),
    ],
    ids=["delivered", "read", "failed", "rejected", "expired", "revoked", "inbound"],
)
def test_there_is_nothing_to_end_in_any_other(past: tuple[Event, ...]) -> None:
    """A message that arrived, or ended by itself, keeps its status."""
    given(*past).when(end, end_it(61)).nothing()

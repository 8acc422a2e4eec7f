"""Opt-in and opt-out: a number is on one list at most, and the last one wins (C-27)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from tests.specs import given, state_after
from watchword.domain.channel import Channel
from watchword.domain.consent import (
    OptList,
    PutOnList,
    RecipientOptedIn,
    RecipientOptedOut,
    RecipientUnlisted,
    TakeOffList,
    put,
    redecide,
    take_off,
)
from watchword.domain.event import ERASED, MASK

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
NUMBER = {
    "account_id": "account-orchid",
    "person_id": "per_guest",
    "channel": Channel.WHATSAPP,
    "recipient": "+447700900123",
}
OPTED_IN = RecipientOptedIn(at=NOON, **NUMBER)  # type: ignore[arg-type]  # fields by name
OPTED_OUT = RecipientOptedOut(at=NOON, **NUMBER)  # type: ignore[arg-type]  # fields by name
UNLISTED = RecipientUnlisted(at=NOON, opt_list=OptList.OUT)


def on(opt_list: OptList, recipient: str = "+447700900123") -> PutOnList:
    """Put the number on a list."""
    return PutOnList(
        at=LATER,
        account_id="account-orchid",
        person_id="per_guest",
        channel=Channel.WHATSAPP,
        recipient=recipient,
        opt_list=opt_list,
    )


def off(opt_list: OptList) -> TakeOffList:
    """Take the number off a list."""
    return TakeOffList(at=LATER, opt_list=opt_list)


@pytest.mark.parametrize(
    ("opt_list", "kind", "opted_out"),
    [(OptList.IN, RecipientOptedIn, False), (OptList.OUT, RecipientOptedOut, True)],
)
def test_a_number_is_put_on_a_list(
    opt_list: OptList, kind: type[RecipientOptedIn | RecipientOptedOut], opted_out: bool
) -> None:
    """It is recorded as it is spelled, with its time."""
    event = kind(at=LATER, **NUMBER)  # type: ignore[arg-type]  # fields by name
    (
        given()
        .when(put, None, on(opt_list))
        .then(event)
        .on_condition()
        .leaving(opt_list=opt_list, since=LATER, opted_out=opted_out, recipient="+447700900123")
    )


@pytest.mark.parametrize(
    ("past", "opt_list", "kind"),
    [(OPTED_IN, OptList.OUT, RecipientOptedOut), (OPTED_OUT, OptList.IN, RecipientOptedIn)],
)
def test_the_last_list_wins(
    past: RecipientOptedIn | RecipientOptedOut,
    opt_list: OptList,
    kind: type[RecipientOptedIn | RecipientOptedOut],
) -> None:
    """A number that is added to one list leaves the other."""
    moved = kind(at=LATER, **NUMBER)  # type: ignore[arg-type]  # fields by name

    given(past).when(put, on(opt_list)).then(moved).leaving(opt_list=opt_list, since=LATER)


@pytest.mark.parametrize(("past", "opt_list"), [(OPTED_IN, OptList.IN), (OPTED_OUT, OptList.OUT)])
def test_a_number_that_is_on_a_list_stays_as_it_is(
    past: RecipientOptedIn | RecipientOptedOut, opt_list: OptList
) -> None:
    """Put there again, in another spelling too, nothing happens: `since` stays."""
    given(past).when(put, on(opt_list, "0044 7700 900123")).nothing()


def test_a_number_is_taken_off_its_list() -> None:
    """It is on none then, and may be written to."""
    unlisted = RecipientUnlisted(at=LATER, opt_list=OptList.OUT)
    (
        given(OPTED_OUT)
        .when(take_off, off(OptList.OUT))
        .then(unlisted)
        .leaving(opt_list=None, since=LATER, opted_out=False)
    )


@pytest.mark.parametrize(
    ("past", "opt_list"),
    [
        ((OPTED_IN,), OptList.OUT),
        ((OPTED_OUT,), OptList.IN),
        ((OPTED_OUT, UNLISTED), OptList.OUT),
        ((OPTED_OUT, UNLISTED), OptList.IN),
    ],
)
def test_what_is_not_on_a_list_is_not_taken_off(
    past: tuple[RecipientOptedIn | RecipientOptedOut | RecipientUnlisted, ...], opt_list: OptList
) -> None:
    """Deleting from the other list, or twice, changes nothing."""
    given(*past).when(take_off, off(opt_list)).nothing()


def test_nobody_is_taken_off_before_the_first_event() -> None:
    """Removing a number that was never listed records nothing."""
    given().when(take_off, None, off(OptList.OUT)).nothing()


def test_a_number_can_come_back() -> None:
    """After all, in the spelling of that time."""
    state = state_after(OPTED_OUT, UNLISTED)
    decision = put(state, on(OptList.OUT, "447700900123"))

    assert "447700900123" == state_after(OPTED_OUT, UNLISTED, *decision.events).recipient


def test_an_opt_out_outlives_its_person() -> None:
    """After an erasure the number is still opted out, and opting it out again records nothing (C-74)."""
    erased = evolve(OPTED_OUT, recipient=ERASED)
    again = evolve(on(OptList.OUT), person_id="per_met_again")

    given(erased).when(put, again).nothing()
    assert state_after(erased).opted_out


def test_the_number_of_an_erased_person_is_listed_for_the_new_one() -> None:
    """The event names the person whom the number belongs to by then."""
    opted_in = evolve(OPTED_IN, at=LATER, person_id="per_met_again")

    (
        given(evolve(OPTED_OUT, recipient=ERASED))
        .when(put, evolve(on(OptList.IN), person_id="per_met_again"))
        .then(opted_in)
        .leaving(person_id="per_met_again", opt_list=OptList.IN)
    )


@pytest.mark.parametrize("recipient", ["0044 7700 900123", ERASED, MASK])
def test_an_audit_compares_persons_and_not_spellings(recipient: str) -> None:
    """A repeated decision holds in any spelling, and where the number cannot be read any more."""
    before = state_after(evolve(OPTED_OUT, recipient=recipient))

    assert (OPTED_IN,) == redecide(before, OPTED_IN).events


def test_an_audit_finds_the_event_of_another_person() -> None:
    """A number is another person's only after an erasure."""
    stranger = evolve(OPTED_IN, person_id="per_stranger")

    assert () == redecide(state_after(OPTED_OUT), stranger).events
    erased = state_after(evolve(OPTED_OUT, recipient=ERASED))
    assert (stranger,) == redecide(erased, stranger).events

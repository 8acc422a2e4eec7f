"""A person's consent on a channel: the opt list of an account that holds the number (C-27)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from .channel import Channel
from .decider import Decider, Decision
from .event import ERASED, Event, personal
from .value import value

# The error code of a message to an opted-out number (C-27).
RECIPIENT_OPTED_OUT = "recipient_opted_out"


class OptList(StrEnum):
    """The opt lists. A number is on one of them at most."""

    IN = "in"
    OUT = "out"


@frozen(kw_only=True)
class RecipientOptedIn(Event):
    """A number was added to the opt-in list, and removed from the opt-out list."""

    account_id: str
    person_id: str
    channel: Channel
    recipient: str = personal()


@frozen(kw_only=True)
class RecipientOptedOut(Event):
    """A number was added to the opt-out list; nothing more is sent to it on this channel."""

    account_id: str
    person_id: str
    channel: Channel
    recipient: str = personal()


@frozen(kw_only=True)
class RecipientUnlisted(Event):
    """A number was removed from its list, and is on none."""

    opt_list: OptList


RecipientListed = RecipientOptedIn | RecipientOptedOut
ConsentEvent = RecipientListed | RecipientUnlisted


@frozen(kw_only=True)
class Consent:
    """
    The state of a number, which belongs to the person `person_id`.

    `recipient` is spelled as in the latest request that put it on a list. After the person's erasure
    the state stays, so that an opt-out still holds (D-337).
    """

    account_id: str
    person_id: str
    channel: Channel
    recipient: str = field(repr=False)
    opt_list: OptList | None
    since: datetime

    @property
    def opted_out(self) -> bool:
        """Whether no message may be sent to the number."""
        return self.opt_list is OptList.OUT


@value(kw_only=True)
class PutOnList:
    """Put a number on a list, and take it off the other one (C-27)."""

    at: datetime
    account_id: str
    person_id: str
    channel: Channel
    recipient: str = field(repr=False)
    opt_list: OptList


@value(kw_only=True)
class TakeOffList:
    """Take a number off a list."""

    at: datetime
    opt_list: OptList


def put(consent: Consent | None, command: PutOnList) -> Decision:
    """Put a number on a list, unless it is on it already. None is a number that never was on a list."""
    if consent is not None and consent.opt_list is command.opt_list:
        return Decision()
    kind = RecipientOptedIn if command.opt_list is OptList.IN else RecipientOptedOut
    return Decision(
        (
            kind(
                at=command.at,
                account_id=command.account_id,
                person_id=command.person_id,
                channel=command.channel,
                recipient=command.recipient,
            ),
        )
    )


def take_off(consent: Consent | None, command: TakeOffList) -> Decision:
    """Take a number off a list, if it is on it. None is a number that never was on a list."""
    if consent is None or consent.opt_list is not command.opt_list:
        return Decision()
    return Decision((RecipientUnlisted(at=command.at, opt_list=command.opt_list),))


def begin(event: RecipientListed) -> Consent:
    """Return the state after the first event."""
    return Consent(
        account_id=event.account_id,
        person_id=event.person_id,
        channel=event.channel,
        recipient=event.recipient,
        opt_list=_list_of(event),
        since=event.at,
    )


def evolve(consent: Consent, event: ConsentEvent) -> Consent:
    """Apply a later event."""
    if isinstance(event, RecipientUnlisted):
        return attrs.evolve(consent, opt_list=None, since=event.at)
    # The latest event that put a number on a list has all facts about the number.
    return begin(event)


def redecide(consent: Consent | None, event: ConsentEvent) -> Decision:
    """Repeat the decision that an event records (D-157)."""
    if not isinstance(event, RecipientUnlisted):
        return put(consent, _putting(event)) if _is_of(consent, event) else Decision()
    return take_off(consent, TakeOffList(at=event.at, opt_list=event.opt_list))


def _is_of(consent: Consent | None, event: RecipientListed) -> bool:
    """
    Return whether an event is about a consent's number; a new stream has none.

    The number of an erased person is a new person when it is listed again.
    """
    return consent is None or (
        consent.account_id == event.account_id
        and consent.channel is event.channel
        and (consent.person_id == event.person_id or consent.recipient == ERASED)
    )


def _putting(event: RecipientListed) -> PutOnList:
    return PutOnList(
        at=event.at,
        account_id=event.account_id,
        person_id=event.person_id,
        channel=event.channel,
        recipient=event.recipient,
        opt_list=_list_of(event),
    )


def _list_of(event: RecipientListed) -> OptList:
    match event:
        case RecipientOptedIn():
            return OptList.IN
        case RecipientOptedOut():
            return OptList.OUT
        case _:
            assert_never(event)


consent_decider: Decider[Consent] = Decider(
    "consent", begin, get_args(RecipientListed), evolve, get_args(ConsentEvent)
)

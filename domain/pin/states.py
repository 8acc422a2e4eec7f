"""A PIN between two events: its facts, and how events move it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import assert_never, get_args

import attrs
from attrs import field, frozen

from ..channel import (
    Channel,
    ChannelName,
    ChannelOutcome,
    OutcomeStatus,
    any_accepted,
    any_may_arrive,
)
from ..decider import Decider, changed
from ..message.ladder import MessageStatus, climbed
from ..rate_limit import Rate
from ..receipt import Receipt
from .events import (
    PinBlocked,
    PinDispatched,
    PinExpired,
    PinIssued,
    PinReported,
    PinResent,
    PinSuperseded,
    PinVerified,
    VerifyFailed,
)
from .stages import (
    REVIVABLE,
    Blocked,
    DispatchFailed,
    Expired,
    Life,
    Pending,
    PinStatus,
    Superseded,
    Verified,
)
from .subjects import known_as

LaterPinEvent = (
    PinResent
    | PinDispatched
    | PinReported
    | VerifyFailed
    | PinVerified
    | PinBlocked
    | PinExpired
    | PinSuperseded
)
PinEvent = PinIssued | LaterPinEvent


# Every step of a PIN makes a new state. Replacing facts in a `__dict__` (`changed`) costs a fifth of what
# `attrs.evolve` costs with slots.
@frozen(kw_only=True, slots=False)
class Pin:
    """
    A PIN as its events left it.

    `guesses` are the times of the evaluated guesses that the verify rate still has to look at, and
    `undispatched` the channels of each issue whose outcome is not recorded yet. `sent_at` is when
    the cooldown began; None after a send that no channel is known to have taken (C-15, C-99).
    `outcomes` and `receipts` are the newest code's; `earlier` has the outcomes of those before it,
    each with its issue.
    """

    issue: int
    life: Life = Pending()
    account_id: str
    template_id: str
    destination: str = field(repr=False)
    reference_id: str | None = field(repr=False)
    channels: tuple[Channel, ...]
    code_hash: str = field(repr=False)
    expires_at: datetime
    attempts_remaining: int
    verify_limit: Rate
    guesses: tuple[datetime, ...] = ()
    undispatched: Mapping[int, tuple[Channel, ...]]
    outcomes: tuple[ChannelOutcome, ...] = ()
    earlier: tuple[tuple[int, tuple[ChannelOutcome, ...]], ...] = ()
    receipts: Mapping[ChannelName, Receipt] = field(factory=dict)
    sent_at: datetime | None
    created_at: datetime
    updated_at: datetime

    def status_at(self, now: datetime) -> PinStatus:
        """Return the status as a reader sees it: an unmet expiry is derived (C-15)."""
        if isinstance(self.life, Pending) and self.expired_at(now):
            return PinStatus.EXPIRED
        return self.life.status

    def expired_at(self, now: datetime) -> bool:
        """Whether the newest code's time is over."""
        return now >= self.expires_at

    @property
    def sends(self) -> Mapping[str, tuple[int, ChannelName]]:
        """
        Issue and channel of each code that a provider took, by the subject that the PIN holds for it.

        An id that a provider gave twice stays with the code that it was given first (D-37).
        """
        found: dict[str, tuple[int, ChannelName]] = {}
        for issue, outcomes in (*self.earlier, (self.issue, self.outcomes)):
            for outcome in outcomes:
                if subject := known_as(outcome):
                    found.setdefault(subject, (issue, outcome.channel))
        return found

    def sent_on(self, issue: int) -> tuple[ChannelName, ...]:
        """Return the channels that a code went to, whatever its outcomes."""
        known = dict([*self.earlier, (self.issue, self.outcomes)]).get(issue, ())
        return (*self.undispatched.get(issue, ()), *[outcome.channel for outcome in known])

    def sent_through(self, issue: int, channel: ChannelName) -> str | None:
        """Return the channel account that a code went to; None before its outcome is recorded."""
        known = dict([*self.earlier, (self.issue, self.outcomes)]).get(issue, ())
        return next((each.channel_account_id for each in known if each.channel == channel), None)


def begin(event: PinIssued) -> Pin:
    """Return the state after the first event."""
    return Pin(
        issue=event.issue,
        account_id=event.account_id,
        template_id=event.template_id,
        destination=event.destination,
        reference_id=event.reference_id,
        channels=event.channels,
        code_hash=event.code_hash,
        expires_at=event.expires_at,
        attempts_remaining=event.attempts,
        verify_limit=event.verify_limit,
        undispatched={event.issue: event.channels},
        sent_at=event.at,
        created_at=event.at,
        updated_at=event.at,
    )


def evolve(pin: Pin, event: LaterPinEvent) -> Pin:
    """Apply a later event."""
    match event:
        case PinDispatched():
            return _dispatched(pin, event)
        case PinVerified():
            return changed(
                pin, life=Verified(), guesses=_guesses(pin, event.at), updated_at=event.at
            )
        case VerifyFailed():
            return changed(
                pin,
                attempts_remaining=event.attempts_remaining,
                guesses=_guesses(pin, event.at),
                updated_at=event.at,
            )
        case PinResent():
            return _resent(pin, event)
        case PinBlocked():
            return changed(
                pin, life=Blocked(), guesses=_guesses(pin, event.at), updated_at=event.at
            )
        case PinExpired():
            return changed(pin, life=Expired(), updated_at=event.at)
        case PinReported():
            return _reported(pin, event)
        case PinSuperseded():
            return changed(
                pin, life=Superseded(event.by, isinstance(pin.life, Expired)), updated_at=event.at
            )
        case _:
            assert_never(event)


def _resent(pin: Pin, event: PinResent) -> Pin:
    return changed(
        pin,
        life=Pending(),
        issue=event.issue,
        code_hash=event.code_hash,
        expires_at=event.expires_at,
        attempts_remaining=event.attempts,
        verify_limit=event.verify_limit,
        undispatched={**pin.undispatched, event.issue: event.channels},
        outcomes=(),
        earlier=(*pin.earlier, (pin.issue, pin.outcomes)),
        receipts={},
        sent_at=event.at,
        updated_at=event.at,
    )


def _dispatched(pin: Pin, event: PinDispatched) -> Pin:
    newest = event.issue == pin.issue
    accepted = any_accepted(event.outcomes)
    may_arrive = accepted or any_may_arrive(event.outcomes)
    failed = newest and not accepted and all(each.counts_as_rejected for each in event.outcomes)
    life = pin.life
    if newest and may_arrive and isinstance(life, Superseded):
        life = Expired() if life.expired else Pending()
    elif failed and not may_arrive and pin.issue == 1 and isinstance(life, REVIVABLE):
        life = DispatchFailed()
    undispatched = dict(pin.undispatched)
    undispatched.pop(event.issue, None)
    return changed(
        pin,
        life=life,
        undispatched=undispatched,
        outcomes=_explained_by(pin.receipts, event.outcomes) if newest else pin.outcomes,
        earlier=pin.earlier if newest else (*pin.earlier, (event.issue, event.outcomes)),
        sent_at=None if failed else pin.sent_at,
        updated_at=event.at,
    )


def _reported(pin: Pin, event: PinReported) -> Pin:
    receipts, outcomes = pin.receipts, pin.outcomes
    if event.issue == pin.issue:
        outcomes = _explained_by((event.channel,), outcomes)
        shown = receipts.get(event.channel)
        before = MessageStatus(shown.status) if shown else MessageStatus.ACCEPTED
        # A lower or repeated receipt changes nothing here either (C-22, D-45).
        if climbed(before, event.status) is not before:
            receipt = Receipt(
                status=event.status, error_code=event.error_code, reported_at=event.reported_at
            )
            receipts = {**receipts, event.channel: receipt}
    return changed(pin, receipts=receipts, outcomes=outcomes, updated_at=event.at)


def _explained_by(
    channels: Collection[ChannelName], outcomes: tuple[ChannelOutcome, ...]
) -> tuple[ChannelOutcome, ...]:
    """Return outcomes with those of these channels accepted: who reports has taken the code (C-68)."""
    if not channels:
        return outcomes
    return tuple([_taken(each) if each.channel in channels else each for each in outcomes])


def _taken(outcome: ChannelOutcome) -> ChannelOutcome:
    if outcome.known:
        return outcome
    return attrs.evolve(outcome, status=OutcomeStatus.ACCEPTED, error_code=None, error_message=None)


def _guesses(pin: Pin, at: datetime) -> tuple[datetime, ...]:
    return (*pin.guesses, at)[-pin.verify_limit.count :]


pin_decider: Decider[Pin] = Decider("pin", begin, (PinIssued,), evolve, get_args(LaterPinEvent))

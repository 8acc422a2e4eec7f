"""The state of a PIN, and how events change it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never, get_args

from attrs import field, frozen

from ..channel import (
    Channel,
    ChannelName,
    ChannelOutcome,
    any_accepted,
    any_may_arrive,
    explained_by,
)
from ..decider import Decider, changed
from ..message.ladder import MessageStatus, climbed
from ..pin_template.policy import VerificationReceipt
from ..rate_limit import Rate
from ..receipt import Receipt, receipt_in
from .events import (
    PinBlocked,
    PinDispatched,
    PinErased,
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
    Erased,
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
    | PinErased
)
PinEvent = PinIssued | LaterPinEvent


# Every step of a PIN makes a new state. `changed`, which replaces facts in a `__dict__`, costs a fifth
# of `attrs.evolve` with slots.
@frozen(kw_only=True, slots=False)
class Pin:
    """
    The state of a PIN.

    `guesses` are the times of the guesses that the verify rate still counts. `undispatched` has the
    channels of each issue without a recorded outcome. `sent_at` is the start of the cooldown; it is
    None if no channel is known to have accepted the last send (C-15, C-99). `outcomes` and `receipts`
    belong to the newest code; `earlier` has the outcomes of earlier codes, each with its issue.
    `attempts` are those that the newest code began with. `counted` has the time of each send, and the
    budgets that counted it (D-380); sends that none counted are left out. `tests` are the issues that
    went to a test destination, so that nothing was sent (C-79).
    `receipt` is the form in which a verification of the newest code is attested (C-83). `locale` is that
    of the create.
    """

    issue: int
    life: Life = Pending()
    account_id: str
    template_id: str
    person_id: str
    destination: str = field(repr=False)
    reference_id: str | None = field(repr=False)
    channels: tuple[Channel, ...]
    code_hash: str = field(repr=False)
    expires_at: datetime
    attempts: int
    attempts_remaining: int
    verify_limit: Rate
    receipt: VerificationReceipt | None = None
    locale: str | None = field(default=None, repr=False)
    country: str | None = None
    tests: tuple[int, ...] = ()
    context_ip: str | None = field(default=None, repr=False)
    counted: tuple[tuple[datetime, tuple[str, ...]], ...] = ()
    guesses: tuple[datetime, ...] = ()
    undispatched: Mapping[int, tuple[Channel, ...]]
    outcomes: tuple[ChannelOutcome, ...] = ()
    earlier: tuple[tuple[int, tuple[ChannelOutcome, ...]], ...] = ()
    receipts: Mapping[ChannelName, Receipt] = field(factory=dict)
    sent_at: datetime | None
    created_at: datetime
    updated_at: datetime

    def status_at(self, now: datetime) -> PinStatus:
        """Return the status for readers: a code past its expiry is expired before any event (C-15)."""
        if isinstance(self.life, Pending) and self.expired_at(now):
            return PinStatus.EXPIRED
        return self.life.status

    def expired_at(self, now: datetime) -> bool:
        """Return whether the newest code's time is over."""
        return now >= self.expires_at

    @property
    def test(self) -> bool:
        """Whether the newest code was made for a test destination (C-79)."""
        return self.issue in self.tests

    @property
    def sends(self) -> Mapping[str, tuple[int, ChannelName]]:
        """The issue and channel of each code, by its subject; an id given twice is the first's (D-37)."""
        found: dict[str, tuple[int, ChannelName]] = {}
        for issue, outcomes in (*self.earlier, (self.issue, self.outcomes)):
            for outcome in outcomes:
                if subject := known_as(outcome):
                    found.setdefault(subject, (issue, outcome.channel))
        return found

    def outcomes_of(self, issue: int) -> tuple[ChannelOutcome, ...]:
        """Return the recorded outcomes of a code."""
        return dict([*self.earlier, (self.issue, self.outcomes)]).get(issue, ())

    def sent_on(self, issue: int) -> tuple[ChannelName, ...]:
        """Return the channels that a code was sent to, whatever the outcomes."""
        known = self.outcomes_of(issue)
        return (*self.undispatched.get(issue, ()), *[outcome.channel for outcome in known])

    @property
    def may_have_arrived_on(self) -> tuple[ChannelName, ...]:
        """The channels on which the newest code may have reached its recipient (C-68)."""
        unknown = self.undispatched.get(self.issue, ())
        return (*unknown, *[each.channel for each in self.outcomes if not each.refused])

    def outcome_on(self, issue: int, channel: ChannelName) -> ChannelOutcome | None:
        """Return the outcome of a code on a channel; None before it is recorded."""
        return next((each for each in self.outcomes_of(issue) if each.channel == channel), None)


def begin(event: PinIssued) -> Pin:
    """Return the state after the first event."""
    return Pin(
        issue=event.issue,
        account_id=event.account_id,
        template_id=event.template_id,
        person_id=event.person_id,
        destination=event.destination,
        reference_id=event.reference_id,
        channels=event.channels,
        code_hash=event.code_hash,
        expires_at=event.expires_at,
        attempts=event.attempts,
        attempts_remaining=event.attempts,
        verify_limit=event.verify_limit,
        receipt=event.receipt,
        locale=event.locale,
        country=event.country,
        tests=(event.issue,) if event.test else (),
        context_ip=event.context_ip,
        counted=((event.at, event.counted),) if event.counted else (),
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
        case PinErased():
            return changed(pin, life=Erased(), updated_at=event.at)
        case _:
            assert_never(event)


def _resent(pin: Pin, event: PinResent) -> Pin:
    return changed(
        pin,
        life=Pending(),
        issue=event.issue,
        code_hash=event.code_hash,
        expires_at=event.expires_at,
        attempts=event.attempts,
        attempts_remaining=event.attempts,
        verify_limit=event.verify_limit,
        receipt=event.receipt,
        counted=(*pin.counted, (event.at, event.counted)) if event.counted else pin.counted,
        tests=(*pin.tests, event.issue) if event.test else pin.tests,
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
        outcomes=explained_by(pin.receipts, event.outcomes) if newest else pin.outcomes,
        earlier=pin.earlier if newest else (*pin.earlier, (event.issue, event.outcomes)),
        sent_at=None if failed else pin.sent_at,
        updated_at=event.at,
    )


def _reported(pin: Pin, event: PinReported) -> Pin:
    receipts, outcomes = pin.receipts, pin.outcomes
    if event.issue == pin.issue:
        outcomes = explained_by((event.channel,), outcomes)
        shown = receipts.get(event.channel)
        before = MessageStatus(shown.status) if shown else MessageStatus.ACCEPTED
        # A lower or repeated receipt changes nothing (C-22, D-45).
        if climbed(before, event.status) is not before:
            receipt = receipt_in(event)
            receipts = {**receipts, event.channel: receipt}
    return changed(pin, receipts=receipts, outcomes=outcomes, updated_at=event.at)


def _guesses(pin: Pin, at: datetime) -> tuple[datetime, ...]:
    return (*pin.guesses, at)[-pin.verify_limit.count :]


pin_decider: Decider[Pin] = Decider("pin", begin, (PinIssued,), evolve, get_args(LaterPinEvent))

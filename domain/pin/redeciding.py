"""Repeat the decisions that a PIN's events record, each on the state before it (D-157)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import assert_never

import attrs

from ..channel import ChannelName
from ..decider import Decision
from ..guard.guarded import Guarded
from ..pin_template.policy import PinPolicy
from ..rate_limit import Duration
from ..receipt import receipt_in
from .commands import (
    ErasePin,
    ExpirePin,
    ExplainPin,
    IssuePin,
    RecordDispatch,
    ResendPin,
    SupersedePin,
    TakePinReceipt,
    VerifyPin,
)
from .decide import erase, expire, issue, resend, supersede, verify
from .decide_dispatch import explain, record_dispatch, take_receipt
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
from .states import Pin, PinEvent

_SECOND, _MILLISECOND = timedelta(seconds=1), timedelta(milliseconds=1)
_NO_COOLDOWN = Duration("0s")


def redecide(pin: Pin | None, event: PinEvent) -> Decision:
    """
    Repeat the decision that an event records.

    The cooldown and the send rates are not checked, because no event of the PIN records them. Raises
    what the decision raises, and `ValueError` for limits that no template can have.
    """
    if isinstance(event, PinIssued):
        return _issued(event) if pin is None else Decision()
    if pin is None:
        return Decision()
    match event:
        case PinResent():
            return _resent(pin, event)
        case PinDispatched():
            return _dispatched(pin, event)
        case PinReported():
            return _reported(pin, event)
        case VerifyFailed() | PinBlocked():
            return verify(pin, VerifyPin(at=event.at, pin_id="", matched=False))
        case PinVerified():
            return verify(pin, VerifyPin(at=event.at, pin_id="", matched=True))
        case PinExpired():
            return expire(pin, ExpirePin(at=event.at))
        case PinSuperseded():
            return supersede(pin, SupersedePin(at=event.at, by=event.by))
        case PinErased():
            return erase(pin, ErasePin(at=event.at, pin_id=""))
        case _:
            assert_never(event)


def _issued(event: PinIssued) -> Decision:
    return issue(
        IssuePin(
            at=event.at,
            pin_id="",
            account_id=event.account_id,
            template_id=event.template_id,
            person_id=event.person_id,
            destination=event.destination,
            reference_id=event.reference_id,
            channels=event.channels,
            code_hash=event.code_hash,
            policy=_policy(event),
            country=event.country,
            test=event.test,
            context_ip=event.context_ip,
            context_user_agent=event.context_user_agent,
            locale=event.locale,
            guarded=Guarded(counted=event.counted, flags=event.flags),
        )
    )


def _resent(pin: Pin, event: PinResent) -> Decision:
    return resend(
        pin,
        ResendPin(
            at=event.at,
            channels=event.channels,
            code_hash=event.code_hash,
            policy=_policy(event),
            test=event.test,
            guarded=Guarded(counted=event.counted, flags=event.flags),
        ),
    )


def _dispatched(pin: Pin, event: PinDispatched) -> Decision:
    """Repeat the decision of an outcome, if its code has no known outcome yet (C-15)."""
    wanted: Sequence[ChannelName] | None = pin.undispatched.get(event.issue)
    if wanted is None:
        before = pin.outcomes_of(event.issue)
        if any(each.known or each.doubtful for each in before):
            return Decision()
        wanted = [each.channel for each in before]
    if list(wanted) != [each.channel for each in event.outcomes]:
        return Decision()
    return record_dispatch(
        pin, RecordDispatch(at=event.at, pin_id="", issue=event.issue, outcomes=event.outcomes)
    )


def _reported(pin: Pin, event: PinReported) -> Decision:
    receipt = receipt_in(event)
    for subject, sent in pin.sends.items():
        if sent == (event.issue, event.channel):
            return take_receipt(pin, TakePinReceipt(at=event.at, subject=subject, receipt=receipt))
    # A receipt without a provider's id named the reference of the send (D-144).
    return explain(
        pin, ExplainPin(at=event.at, issue=event.issue, channel=event.channel, receipt=receipt)
    )


def _policy(sent: PinIssued | PinResent) -> PinPolicy:
    return attrs.evolve(
        PinPolicy(),
        pin_time_to_live=_spelled(sent.expires_at - sent.at),
        pin_attempts=sent.attempts,
        verify_pin_limit=sent.verify_limit,
        resend_cooldown=_NO_COOLDOWN,
        receipt=sent.receipt,
    )


def _spelled(span: timedelta) -> Duration:
    # A duration has nine digits at most, so that milliseconds reach for eleven days alone.
    if span % _SECOND:
        return Duration(f"{span // _MILLISECOND}ms")
    return Duration(f"{span // _SECOND}s")

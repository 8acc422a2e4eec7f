"""
The state table of SPEC section 3, in the order of checks that C-14 and C-15 fix.

`decide_dispatch.py` decides what follows from a dispatch: among it, that one PIN is live at a time.
"""

from __future__ import annotations

from datetime import datetime

from ..conditions import Hold, PersonLives, Release, WithinRate
from ..decider import Decision
from ..errors import RateLimitedError
from ..event import ERASED, Event
from ..pin_template.policy import PinPolicy
from .commands import ErasePin, ExpirePin, IssuePin, ResendPin, SupersedePin, VerifyPin
from .errors import (
    ExpiryReason,
    PinAlreadyVerifiedError,
    PinBlockedError,
    PinExpiredError,
    PinNotFoundError,
    ResendCooldownError,
)
from .events import (
    PinBlocked,
    PinErased,
    PinExpired,
    PinIssued,
    PinResent,
    PinSuperseded,
    PinVerified,
    VerifyFailed,
)
from .stages import Blocked, DispatchFailed, Erased, Expired, Pending, Superseded, Verified
from .states import Pin
from .subjects import live_code
from .verdict_conditions import of_right_guess, of_wrong_guess


def issue(command: IssuePin) -> Decision:
    """Create a PIN; its sends must stay within the template's rates (C-16) and the guard's budgets."""
    issued = PinIssued(
        at=command.at,
        account_id=command.account_id,
        template_id=command.template_id,
        person_id=command.person_id,
        destination=command.destination,
        reference_id=command.reference_id,
        channels=command.channels,
        code_hash=command.code_hash,
        expires_at=command.at + command.policy.pin_time_to_live.span,
        attempts=command.policy.pin_attempts,
        verify_limit=command.policy.verify_pin_limit,
        country=command.country,
        test=command.test,
        counted=command.guarded.counted,
        flags=command.guarded.flags,
        context_ip=command.context_ip,
        context_user_agent=command.context_user_agent,
        receipt=command.policy.receipt,
        locale=command.locale,
    )
    return Decision(
        (issued,),
        (
            *command.guarded.before,
            *_send_rates(command.template_id, command.person_id, command.policy, command.at),
            *command.guarded.after,
            Hold(live_code(command.template_id, command.person_id), command.pin_id),
        ),
    )


def require_resendable(pin: Pin) -> None:
    """Refuse a resend that no template could allow: not found, verified, blocked, superseded, erased."""
    _require_revivable(pin)
    # The key goes first, and due work ends the PINs a moment later.
    if pin.destination == ERASED:
        raise PinExpiredError(ExpiryReason.ERASED)


def _require_revivable(pin: Pin) -> None:
    match pin.life:
        case DispatchFailed():
            raise PinNotFoundError
        case Verified():
            raise PinAlreadyVerifiedError
        case Blocked():
            raise PinBlockedError
        case Superseded():
            raise PinExpiredError(ExpiryReason.SUPERSEDED)
        case Erased():
            raise PinExpiredError(ExpiryReason.ERASED)
        case Pending() | Expired():
            pass


def resend(pin: Pin, command: ResendPin) -> Decision:
    """
    Replace the code if the cooldown has passed, and the template's rates and the guard allow it (C-15).

    A destination that nothing opens any more is no reason against it: an audit repeats the decision after
    an erasure, too (D-348). `require_resendable` refuses it before, and `PersonLives` in the append.
    """
    _require_revivable(pin)
    if pin.sent_at is not None:
        left = pin.sent_at + command.policy.resend_cooldown.span - command.at
        if left.total_seconds() > 0:
            # After the clock was set back, the time left is never more than the cooldown itself.
            raise ResendCooldownError(
                "The last code was sent a moment ago.",
                min(left, command.policy.resend_cooldown.span),
            )
    resent = PinResent(
        at=command.at,
        issue=pin.issue + 1,
        channels=command.channels,
        code_hash=command.code_hash,
        expires_at=command.at + command.policy.pin_time_to_live.span,
        attempts=command.policy.pin_attempts,
        verify_limit=command.policy.verify_pin_limit,
        test=command.test,
        counted=command.guarded.counted,
        flags=command.guarded.flags,
        receipt=command.policy.receipt,
    )
    return Decision(
        (*_expiry_met(pin, command.at), resent),
        (
            *command.guarded.before,
            *_send_rates(pin.template_id, pin.person_id, command.policy, command.at),
            *command.guarded.after,
            # Nothing of a resend is sealed for the person, so that only this lets an erasure win.
            PersonLives(pin.person_id),
        ),
    )


def looks_at_code(pin: Pin, at: datetime) -> bool:
    """
    Return whether a guess at this time is compared with the code.

    Raises the refusals of C-14 that come before the comparison and spend no attempt. False means that
    the guess is the first call after the expiry, which is an event.
    """
    match pin.life:
        # The first case, because nearly every guess matches it.
        case Pending():
            _within_verify_rate(pin, at)
            return not pin.expired_at(at)
        case DispatchFailed():
            raise PinNotFoundError
        case Verified():
            raise PinAlreadyVerifiedError
        case Blocked():
            raise PinBlockedError
        case Superseded():
            _within_verify_rate(pin, at)
            raise PinExpiredError(ExpiryReason.SUPERSEDED)
        case Erased():
            _within_verify_rate(pin, at)
            raise PinExpiredError(ExpiryReason.ERASED)
        case Expired():
            _within_verify_rate(pin, at)
            raise PinExpiredError


def verify(pin: Pin, command: VerifyPin) -> Decision:
    """
    Judge a guess. The verdict is an event, so the guess is counted before it is answered (C-14).

    It is no verdict if the guard's limit of guesses is reached: then the append is refused (C-77).
    """
    if not looks_at_code(pin, command.at):
        return Decision(_expiry_met(pin, command.at))
    if command.matched:
        verified = PinVerified(at=command.at, issue=pin.issue)
        return Decision(
            (verified,), (*of_right_guess(pin, command), _given_up(pin, command.pin_id))
        )
    conditions = of_wrong_guess(command)
    if pin.attempts_remaining == 0:
        blocked = PinBlocked(at=command.at, issue=pin.issue)
        return Decision((blocked,), (*conditions, _given_up(pin, command.pin_id)))
    left = pin.attempts_remaining - 1
    failed = VerifyFailed(at=command.at, issue=pin.issue, attempts_remaining=left)
    return Decision((failed,), conditions)


def supersede(pin: Pin, command: SupersedePin) -> Decision:
    """Supersede the PIN with a later one; a verified or blocked PIN stays as it is."""
    if isinstance(pin.life, Pending | Expired):
        return Decision((PinSuperseded(at=command.at, by=command.by),))
    return Decision()


def expire(pin: Pin, command: ExpirePin) -> Decision:
    """End the live code early: a restored store may have lost attempts that were spent on it (D-64)."""
    if isinstance(pin.life, Pending):
        return Decision((PinExpired(at=command.at, issue=pin.issue),))
    return Decision()


def erase(pin: Pin, command: ErasePin) -> Decision:
    """
    End the PIN because its person was erased, so that no resend can revive it (C-74).

    A verified or blocked PIN stays as it is.
    """
    match pin.life:
        case Pending() | Expired():
            return Decision((PinErased(at=command.at),), (_given_up(pin, command.pin_id),))
        case Superseded() | DispatchFailed():
            return Decision((PinErased(at=command.at),))
        case Verified() | Blocked() | Erased():
            return Decision()


def _send_rates(
    template_id: str, person_id: str, policy: PinPolicy, at: datetime
) -> tuple[WithinRate, WithinRate]:
    return (
        WithinRate(f"sends:{template_id}", policy.send_pin_per_template_limit, at, rule="template"),
        WithinRate(
            f"sends:{template_id}:{person_id}",
            policy.send_pin_per_phone_number_limit,
            at,
            rule="phone_number",
        ),
    )


def _within_verify_rate(pin: Pin, at: datetime) -> None:
    limit = pin.verify_limit
    if len(pin.guesses) < limit.count:
        return
    left = pin.guesses[-limit.count] + limit.window - at
    if left.total_seconds() > 0:
        raise RateLimitedError("verify", min(left, limit.window))


def _expiry_met(pin: Pin, at: datetime) -> tuple[Event, ...]:
    if isinstance(pin.life, Pending) and pin.expired_at(at):
        return (PinExpired(at=at, issue=pin.issue),)
    return ()


def _given_up(pin: Pin, pin_id: str) -> Release:
    return Release(live_code(pin.template_id, pin.person_id), pin_id)

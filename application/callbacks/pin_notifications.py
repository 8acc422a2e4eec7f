"""The notifications of PINs."""

from __future__ import annotations

from typing import Any

from ...domain.callback_endpoint import CallbackType
from ...domain.channel import ChannelOutcome
from ...domain.pin import (
    Pin,
    PinDispatched,
    PinExpired,
    PinReported,
    PinResent,
    PinSuperseded,
    VerifyFailed,
)
from .notification import Data, Notification, Transition, without_none


def issued(transition: Transition) -> Notification:
    """Notify of a new PIN."""
    pin: Pin = transition.after
    channels = [str(each) for each in pin.channels]
    return _pin(CallbackType.PIN_ISSUED, transition, channels=channels, **_code(pin))


def resent(transition: Transition) -> Notification:
    """Notify of a new code of a PIN."""
    event: PinResent = transition.event
    channels = [str(each) for each in event.channels]
    return _pin(CallbackType.PIN_RESENT, transition, channels=channels, **_code(transition.after))


def dispatched(transition: Transition) -> Notification:
    """Notify of the outcomes of a code's dispatch."""
    event: PinDispatched = transition.event
    channels = [_outcome(each) for each in event.outcomes]
    return _pin(CallbackType.PIN_DISPATCHED, transition, issue=event.issue, channels=channels)


def verify_failed(transition: Transition) -> Notification:
    """Notify of a wrong guess."""
    event: VerifyFailed = transition.event
    return _pin(
        CallbackType.PIN_VERIFY_FAILED, transition, attempts_remaining=event.attempts_remaining
    )


def verified(transition: Transition) -> Notification:
    """Notify of the right guess."""
    return _pin(CallbackType.PIN_VERIFIED, transition)


def blocked(transition: Transition) -> Notification:
    """Notify of the wrong guess that blocked a PIN."""
    return _pin(CallbackType.PIN_BLOCKED, transition)


def reported(transition: Transition) -> Notification | None:
    """Notify once that the newest code arrived on a channel; the PIN's status stays the same (C-23)."""
    event: PinReported = transition.event
    if _arrived(transition.before, event) or not _arrived(transition.after, event):
        return None
    return _pin(
        CallbackType.PIN_DELIVERED, transition, issue=event.issue, channel=str(event.channel)
    )


def expired(transition: Transition) -> Notification:
    """Notify of a code's expiry."""
    event: PinExpired = transition.event
    return _pin(CallbackType.PIN_EXPIRED, transition, issue=event.issue)


def superseded(transition: Transition) -> Notification:
    """Notify of the later PIN that is live instead."""
    event: PinSuperseded = transition.event
    return _pin(CallbackType.PIN_SUPERSEDED, transition, superseded_by=event.by)


def _pin(callback_type: CallbackType, transition: Transition, **more: Any) -> Notification:
    pin: Pin = transition.after
    ids = {"pin_id": transition.stream, "template_id": pin.template_id}
    # The caller's own reference, like the custom references of a message.
    reference = {} if pin.reference_id is None else {"reference_id": pin.reference_id}
    return Notification(callback_type, {**ids, **reference, **more})


def _arrived(pin: Pin, event: PinReported) -> bool:
    receipt = pin.receipts.get(event.channel) if event.issue == pin.issue else None
    return receipt is not None and receipt.status.arrived


def _code(pin: Pin) -> Data:
    return {
        "issue": pin.issue,
        "expires_at": pin.expires_at,
        "attempts_remaining": pin.attempts_remaining,
    }


def _outcome(outcome: ChannelOutcome) -> Data:
    data = {
        "channel": str(outcome.channel),
        "status": str(outcome.status),
        "provider_message_id": outcome.provider_message_id,
        "error_code": outcome.error_code,
    }
    return without_none(data)

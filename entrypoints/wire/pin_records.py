"""PINs in answers: to operators in searches, and to callers by id (C-37, C-90)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ...application.pins.sending_pins import SentPin
from ...application.pins.views import VerificationView
from ...domain.channel import (
    DISPATCH_INTERRUPTED,
    PROVIDER_UNKNOWN,
    ChannelOutcome,
    OutcomeStatus,
)
from ...domain.errors import camel
from .codec import unstructure, wire_time


def pin_record(pin: VerificationView) -> dict[str, Any]:
    """Return a PIN for its caller, without code, hash and destination."""
    return {
        "pinId": pin.pin_id,
        "status": pin.status,
        "expiresAt": wire_time(pin.expires_at),
        "attemptsRemaining": pin.attempts_remaining,
        "referenceId": pin.reference_id,
        "channels": [_callers_channel(each) for each in pin.channels],
        "createdAt": wire_time(pin.created_at),
        "updatedAt": wire_time(pin.updated_at),
    }


def sent_pin_record(pin: SentPin) -> dict[str, Any]:
    """Return a PIN for the answer to its send."""
    return {
        "pinId": pin.pin_id,
        "status": pin.status,
        "expiresAt": wire_time(pin.expires_at),
        "attemptsRemaining": pin.attempts_remaining,
        "channels": [_channel_result(outcome) for outcome in pin.channels],
    }


def verification_record(pin: VerificationView) -> dict[str, Any]:
    """Return a PIN for an operator's search."""
    shown: dict[str, Any] = unstructure(pin)
    shown["channels"] = [_operators_channel(outcome) for outcome in pin.channels]
    return shown


def _channel_result(outcome: ChannelOutcome) -> dict[str, Any]:
    """Return one channel's result (SPEC 2.7); an unknown outcome is shown as rejected (C-40)."""
    if outcome.accepted:
        return {
            "channel": outcome.channel,
            "status": "accepted",
            "providerMessageId": outcome.provider_message_id,
        }
    return {
        "channel": outcome.channel,
        "status": "rejected",
        "errorCode": outcome.error_code,
        "errorMessage": outcome.error_message,
    }


def _operators_channel(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """Return the outcome of a code on a channel for operators."""
    shown = _without_none(outcome)
    if tried := shown.get("tried"):
        shown["tried"] = [_without_none(each) for each in tried]
    if receipt := shown.get("receipt"):
        at = wire_time(datetime.fromisoformat(receipt["at"]))
        shown["receipt"] = _without_none({**receipt, "at": at})
    return shown


def _callers_channel(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """
    Return channel, status, error code, attempts and receipt.

    An unknown outcome is shown as rejected (C-68); `tried` says `unknown` (C-69).
    """
    channel = _operators_channel(outcome)
    accepted = channel["status"] == OutcomeStatus.ACCEPTED
    shown: dict[str, Any] = {
        "channel": channel["channel"],
        "status": "accepted" if accepted else "rejected",
    }
    if "errorCode" in channel:
        interrupted = channel["errorCode"] == DISPATCH_INTERRUPTED
        shown["errorCode"] = PROVIDER_UNKNOWN if interrupted else channel["errorCode"]
    for name in ("tried", "receipt"):
        if name in channel:
            shown[name] = channel[name]
    return shown


def _without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {camel(name): value for name, value in values.items() if value is not None}

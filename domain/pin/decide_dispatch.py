"""Decide on the outcomes and receipts of a PIN's codes, and which PIN keeps the live code (C-15, C-22)."""

from __future__ import annotations

from datetime import datetime

from ..channel import ChannelName, any_may_arrive, interrupted
from ..conditions import Condition, Release, SoleHolder
from ..decider import Decision
from ..event import Event
from ..provider_codes import code_about
from ..receipt import Receipt
from .commands import ExplainPin, RecordDispatch, RecoverDispatch, TakePinReceipt
from .events import PinDispatched, PinReported
from .stages import REVIVABLE
from .states import Pin
from .subjects import known_as, live_code


def record_dispatch(pin: Pin, command: RecordDispatch) -> Decision:
    """
    Record the outcomes of a dispatch.

    An acceptance makes this PIN the only live one of its template and destination. If it
    `takes_live_code`, the caller supersedes the others, `retiring`, in the same append. If every channel
    rejected the code, no PIN is superseded (C-15). The PIN becomes the only holder of the ids that
    providers gave to any of its codes (D-45).
    """
    dispatched = PinDispatched(
        at=command.at,
        issue=command.issue,
        outcomes=command.outcomes,
        test=command.issue in pin.tests,
    )
    subject = live_code(pin.template_id, pin.person_id)
    conditions: list[Condition] = []
    if takes_live_code(pin, command):
        conditions.append(SoleHolder(subject, command.pin_id, command.retiring))
    elif (
        _can_be_live(pin, command)
        and pin.issue == 1
        and all(outcome.refused for outcome in command.outcomes)
    ):
        conditions.append(Release(subject, command.pin_id))
    reported: list[Event] = []
    for outcome in command.outcomes:
        known = known_as(outcome)
        if known is None:
            continue
        parked: set[str] = set()
        for early in command.early:
            if early.subject != known:
                continue
            parked.add(early.parked_id)
            reported += [
                _reported(pin, command.at, command.issue, outcome.channel, receipt)
                for receipt in early.receipts
            ]
        conditions.append(SoleHolder(known, command.pin_id, frozenset(parked)))
    return Decision((dispatched, *reported), tuple(conditions))


def takes_live_code(pin: Pin, command: RecordDispatch) -> bool:
    """
    Return whether the outcomes make this PIN the only holder of the live code.

    An unknown outcome does as an acceptance does, because the code may have arrived (C-99). A PIN that
    has ended before its outcome is recorded takes nothing, and supersedes no other (D-350).
    """
    return _can_be_live(pin, command) and any_may_arrive(command.outcomes)


def _can_be_live(pin: Pin, command: RecordDispatch) -> bool:
    # A code that a later resend has replaced is no longer live, and holds nothing.
    return command.issue == pin.issue and isinstance(pin.life, REVIVABLE)


def take_receipt(pin: Pin, command: TakePinReceipt) -> Decision:
    """Record a receipt for a code of any issue, whatever the status of the PIN (C-23)."""
    sent = pin.sends.get(command.subject)
    if sent is None:
        return Decision()
    return Decision((_reported(pin, command.at, *sent, command.receipt),))


def explain(pin: Pin, command: ExplainPin) -> Decision:
    """Record a receipt that names the send itself, even if its outcome is known (C-68)."""
    if command.channel not in pin.sent_on(command.issue):
        return Decision()
    return Decision((_reported(pin, command.at, command.issue, command.channel, command.receipt),))


def recover_dispatch(pin: Pin, command: RecoverDispatch) -> Decision:
    """Record `unknown` for a dispatch without an outcome; nothing if the outcome has been recorded."""
    channels = pin.undispatched.get(command.issue)
    if channels is None:
        return Decision()
    outcomes = tuple(interrupted(channel) for channel in channels)
    dispatched = PinDispatched(
        at=command.at, issue=command.issue, outcomes=outcomes, test=command.issue in pin.tests
    )
    return Decision((dispatched,))


def _reported(
    pin: Pin, at: datetime, issue: int, channel: ChannelName, receipt: Receipt
) -> PinReported:
    code = receipt.error_code
    return PinReported(
        at=at,
        issue=issue,
        channel=channel,
        status=receipt.status,
        error_code=None if code is None else code_about(code, pin.destination),
        reported_at=receipt.reported_at,
        segments=receipt.segments,
        price=receipt.price,
    )

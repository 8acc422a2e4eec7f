"""What providers say of a PIN's codes: how they took one, and their receipts (C-15, C-22, C-23)."""

from __future__ import annotations

from datetime import datetime

from ..channel import ChannelName, any_may_arrive, interrupted
from ..conditions import Condition, Release, SoleHolder
from ..decider import Decision
from ..event import Event
from ..receipt import Receipt
from .commands import ExplainPin, RecordDispatch, RecoverDispatch, TakePinReceipt
from .events import PinDispatched, PinReported
from .stages import REVIVABLE
from .states import Pin
from .subjects import known_as, live_code


def record_dispatch(pin: Pin, command: RecordDispatch) -> Decision:
    """
    Take down the outcomes of a dispatch.

    An acceptance makes this PIN the one live code of its template and destination; `retiring` are
    the others there, each superseded in the same append. An outcome that nobody knows does so too,
    as the code may have arrived (C-99). Where every channel rejected the code, nothing is retired
    (C-15). The PIN alone holds the ids by which its providers know its codes, of every issue (D-45).
    """
    dispatched = PinDispatched(at=command.at, issue=command.issue, outcomes=command.outcomes)
    subject = live_code(pin.template_id, pin.destination)
    # A code that a later resend has replaced is dead already, and owns nothing.
    newest = command.issue == pin.issue
    conditions: list[Condition] = []
    if newest and isinstance(pin.life, REVIVABLE):
        if any_may_arrive(command.outcomes):
            conditions.append(SoleHolder(subject, command.pin_id, command.retiring))
        elif pin.issue == 1 and all(outcome.refused for outcome in command.outcomes):
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
                _reported(command.at, command.issue, outcome.channel, receipt)
                for receipt in early.receipts
            ]
        conditions.append(SoleHolder(known, command.pin_id, frozenset(parked)))
    return Decision((dispatched, *reported), tuple(conditions))


def take_receipt(pin: Pin, command: TakePinReceipt) -> Decision:
    """Record a receipt for a code, whichever issue it was and whatever became of the PIN (C-23)."""
    sent = pin.sends.get(command.subject)
    if sent is None:
        return Decision()
    return Decision((_reported(command.at, *sent, command.receipt),))


def explain(pin: Pin, command: ExplainPin) -> Decision:
    """Record a receipt that names the send itself, whether or not its outcome is known (C-68)."""
    if command.channel not in pin.sent_on(command.issue):
        return Decision()
    return Decision((_reported(command.at, command.issue, command.channel, command.receipt),))


def recover_dispatch(pin: Pin, command: RecoverDispatch) -> Decision:
    """Say `unknown` of a dispatch that nobody reported on; nothing, if somebody did after all."""
    channels = pin.undispatched.get(command.issue)
    if channels is None:
        return Decision()
    outcomes = tuple(interrupted(channel) for channel in channels)
    return Decision((PinDispatched(at=command.at, issue=command.issue, outcomes=outcomes),))


def _reported(at: datetime, issue: int, channel: ChannelName, receipt: Receipt) -> PinReported:
    return PinReported(
        at=at,
        issue=issue,
        channel=channel,
        status=receipt.status,
        error_code=receipt.error_code,
        reported_at=receipt.reported_at,
    )

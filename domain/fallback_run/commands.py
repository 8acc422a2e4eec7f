"""Commands of a fallback run; each carries every fact that its decision needs."""

from __future__ import annotations

from datetime import datetime

from attrs import field

from ..channel import ChannelOutcome
from ..limits import FromTo, some
from ..message import carries_code
from ..receipt import ReceiptStatus
from ..value import value
from .events import FallbackStep, RevokeOutcome

LONGEST_WAITTIME = 172_800


def _sealed_where_needed(
    _instance: object, _attribute: object, steps: tuple[FallbackStep, ...]
) -> None:
    # Only commands are checked, not stored events: the rule may become stricter later.
    if any(step.content is not None and carries_code(step.content) for step in steps):
        raise ValueError("carries a code: seal it, and leave the content out (C-23)")


@value(kw_only=True)
class ArmFallback:
    """
    Begin the run of message `message_id` for its recipient `person_id`; its first wait begins now.

    `ttl_seconds` is the message's own time to live, if it has one.
    Raises `ValueError` for a waittime outside 1 to 172,800 seconds (C-20), for a run without a step,
    and for a step whose content carries a code in clear (C-23).
    """

    at: datetime
    account_id: str
    person_id: str
    message_id: str
    fallback_id: str
    waittime_seconds: int = field(validator=FromTo(1, LONGEST_WAITTIME))
    steps: tuple[FallbackStep, ...] = field(validator=[some, _sealed_where_needed])
    ttl_seconds: int | None = None


@value(kw_only=True)
class TakePrimaryOutcome:
    """Apply the outcome of the primary's dispatch."""

    at: datetime
    outcome: ChannelOutcome


@value(kw_only=True)
class TakeAttemptReceipt:
    """Apply a receipt for a message of the run: the primary's or a step's."""

    at: datetime
    message_id: str
    status: ReceiptStatus


@value(kw_only=True)
class Tick:
    """Apply the current time."""

    at: datetime


@value(kw_only=True)
class TakeEnding:
    """Record how the attempt before a step was ended."""

    at: datetime
    step: int
    outcome: RevokeOutcome


@value(kw_only=True)
class FireStep:
    """Send a triggered step as the message `message_id`."""

    at: datetime
    step: int
    message_id: str


@value(kw_only=True)
class RecordStepDispatch:
    """Record the outcome of a step's dispatch; `channel.interrupted` if it is unknown."""

    at: datetime
    step: int
    outcome: ChannelOutcome


@value(kw_only=True)
class CallOff:
    """End the run before its next step, in any stage."""

    at: datetime
    error_code: str


@value(kw_only=True)
class RejectStep:
    """
    Reject a step that cannot be sent as ordered.

    `passing_over` is true if the order is valid, but the recipient opted out of this channel. The next
    step may still be sent.
    """

    at: datetime
    step: int
    error_code: str
    passing_over: bool = False

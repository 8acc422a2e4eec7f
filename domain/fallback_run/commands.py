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
    # Asked of what is ordered and not of what is stored: the rule may become stricter, the past stays.
    if any(step.content is not None and carries_code(step.content) for step in steps):
        raise ValueError("carries a code: seal it, and leave the content out (C-23)")


@value(kw_only=True)
class ArmFallback:
    """
    Begin the run of message `message_id`, whose wait begins now.

    Raises `ValueError` for a waittime outside 1 to 172,800 seconds (C-20), without a step, and for a
    step whose content carries a code in clear (C-23).
    """

    at: datetime
    account_id: str
    message_id: str
    fallback_id: str
    waittime_seconds: int = field(validator=FromTo(1, LONGEST_WAITTIME))
    steps: tuple[FallbackStep, ...] = field(validator=[some, _sealed_where_needed])


@value(kw_only=True)
class TakePrimaryOutcome:
    """Hear how the primary's dispatch went."""

    at: datetime
    outcome: ChannelOutcome


@value(kw_only=True)
class TakeAttemptReceipt:
    """Hear of a receipt for a message of the run, the primary or a step's."""

    at: datetime
    message_id: str
    status: ReceiptStatus


@value(kw_only=True)
class Tick:
    """Look at the clock."""

    at: datetime


@value(kw_only=True)
class TakeEnding:
    """Hear how the attempt before a step was ended."""

    at: datetime
    step: int
    outcome: RevokeOutcome


@value(kw_only=True)
class FireStep:
    """Send a step whose turn it is, as the message `message_id`."""

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
    """Send no further step, whatever the run waits for."""

    at: datetime
    error_code: str


@value(kw_only=True)
class RejectStep:
    """
    Reject a step that cannot be sent as ordered.

    `passing_over` where nothing is wrong with the order: the recipient said no to this channel, and
    the step after it, if there is one, may still be sent.
    """

    at: datetime
    step: int
    error_code: str
    passing_over: bool = False

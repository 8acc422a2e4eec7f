"""
What happens to a fallback run.

Steps count from 1. The attempt before step 1 is the primary, the one before step 2 is step 1's message.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal

from attrs import frozen

from ..channel import ChannelName, ChannelOutcome
from ..event import Event, personal, secret
from ..message import Content


class TriggerReason(StrEnum):
    """Why a step's turn came (C-65)."""

    FAILED = "failed"
    REJECTED = "rejected"
    DEADLINE = "deadline"


class RevokeOutcome(StrEnum):
    """
    What became of ending an attempt.

    `not_revoked` stands for channels that cannot revoke, and for no answer within the provider
    time-out (C-20); `delivered` for an attempt that turns out to have arrived.
    """

    REVOKED = "revoked"
    DELIVERED = "delivered"
    NOT_REVOKED = "not_revoked"


@frozen(kw_only=True)
class FallbackStep:
    """
    What one step sends.

    `content` where it may be stored in clear, else `sealed`: the encrypted content as text, whose
    key is dropped when the run needs it no more (C-23). Where the runs of a call share it, it is
    `content_id`'s, and `link_codes` are what this run says in place of the marks there; where that one
    is sealed, `sealed` are these codes.
    """

    channel: ChannelName
    sender: str
    recipient: str = personal()
    content: Content | None = None
    sealed: str | None = secret(default=None)
    content_id: str | None = None
    link_codes: tuple[str, ...] = personal(default=())
    cust_refs: Mapping[str, str] = personal(factory=dict)


@frozen(kw_only=True)
class FallbackArmed(Event):
    """A message got a fallback run, whose first step is due at `deadline` or earlier."""

    SCHEMA = 2

    account_id: str
    message_id: str
    fallback_id: str
    waittime_seconds: int
    deadline: datetime
    steps: tuple[FallbackStep, ...]


@frozen(kw_only=True)
class FallbackTriggered(Event):
    """A step became due, once; nothing was sent yet."""

    step: int
    reason: TriggerReason


@frozen(kw_only=True)
class AttemptEnded(Event):
    """The attempt before this step, which had no final status, was ended; `outcome` says how."""

    step: int
    outcome: RevokeOutcome


@frozen(kw_only=True)
class FallbackFired(Event):
    """The step is about to be sent as the message `message_id`."""

    step: int
    message_id: str


@frozen(kw_only=True)
class FallbackDispatched(Event):
    """The step's message was handed to its provider; `unknown` without an answer."""

    step: int
    outcome: ChannelOutcome


@frozen(kw_only=True)
class FallbackRejected(Event):
    """
    The step cannot be sent, or may have been before a restore; the run is over.

    `error_code` says why: `invalid_type` (C-21), or `store_restored` after a restore (D-64).
    """

    step: int
    error_code: str


@frozen(kw_only=True)
class StepPassedOver(Event):
    """The step may not be sent (`recipient_opted_out`, D-73); the next step is due."""

    step: int
    error_code: str


@frozen(kw_only=True)
class FallbackStoodDown(Event):
    """The attempt before this step arrived; no further step is sent, and the run is over."""

    step: int
    reason: Literal["delivered"] = "delivered"

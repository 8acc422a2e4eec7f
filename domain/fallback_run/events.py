"""
The events of a fallback run.

Steps count from 1. The attempt before step 1 is the primary; the attempt before step 2 is step 1's
message.
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
    """The reason for which a step was triggered (C-65)."""

    FAILED = "failed"
    REJECTED = "rejected"
    DEADLINE = "deadline"


class RevokeOutcome(StrEnum):
    """
    The result of ending an attempt.

    `not_revoked` stands for a channel that cannot revoke, and for a provider that did not answer in
    time (C-20). `delivered` stands for an attempt that had arrived already.
    """

    REVOKED = "revoked"
    DELIVERED = "delivered"
    NOT_REVOKED = "not_revoked"


@frozen(kw_only=True)
class FallbackStep:
    """
    The content and channel of one step, and the person who receives it.

    A content that may not be stored in clear is in `sealed` instead of `content`: encrypted text, whose
    key is dropped once the run no longer needs it (C-23). If the runs of a call share the content,
    `content_id` names it, and `link_codes` replace its marks in this run. If the shared content is
    sealed, `sealed` has these codes instead.
    """

    person_id: str
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
    """
    A message got a fallback run, whose first step is due at `deadline` or earlier.

    `person_id` is the message's recipient. `ttl_seconds` is the message's own time to live, if it ends
    before (C-50).
    """

    account_id: str
    person_id: str
    message_id: str
    fallback_id: str
    waittime_seconds: int
    deadline: datetime
    steps: tuple[FallbackStep, ...]
    ttl_seconds: int | None = None


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
    The step cannot be sent, or may have been sent before a restore; the run is over.

    `error_code` is `invalid_type` (C-21), or `store_restored` after a restore (D-64).
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

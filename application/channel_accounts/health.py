"""The health of a channel account, as the process that answers sees it (C-66)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from attrs import frozen

from ...domain.channel import OutcomeStatus
from .last_receipts import LastReceipt


class BreakerState(StrEnum):
    """Whether sends go to the provider (C-69)."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half_open"


@frozen(kw_only=True)
class LastOutcome:
    """The outcome of the latest send through a channel account, and its time."""

    status: OutcomeStatus
    code: str | None = None
    at: datetime


@frozen(kw_only=True)
class ChannelHealth:
    """The state of a channel account's sends and receipts in one process; nothing of it is stored."""

    breaker: BreakerState
    in_flight: int
    last_outcome: LastOutcome | None = None
    last_receipt: LastReceipt | None = None


# The health of a channel account through which this process has sent nothing.
UNUSED = ChannelHealth(breaker=BreakerState.CLOSED, in_flight=0)


class ChannelHealths(Protocol):
    """The part of the calls of providers that knows the health of channel accounts."""

    def health(self, channel_account_id: str) -> ChannelHealth:
        """Return the health of a channel account; `UNUSED` for one without a send."""
        ...

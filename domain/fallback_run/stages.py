"""Where a fallback run stands, and what became of each of its steps (C-51)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ..channel import ChannelName, ChannelOutcome
from .events import FallbackStep, TriggerReason


class RunStatus(StrEnum):
    """The words of C-51."""

    ARMED = "armed"
    FIRED = "fired"
    STOOD_DOWN = "stood_down"
    REJECTED = "rejected"


class StepStatus(StrEnum):
    """
    What became of a step, as far as its run knows.

    Once it has a message, that message's own status says more.
    """

    ARMED = "armed"
    FIRED = "fired"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    STOOD_DOWN = "stood_down"


@frozen
class Waiting:
    """
    The attempt before `step` may still arrive.

    There is no deadline yet while a step's message is being dispatched: its wait begins with the
    outcome, which recovery brings at last (C-50).
    """

    step: int
    deadline: datetime | None


@frozen
class Triggered:
    """It is the turn of `step`; it is sent once the attempt before it has `ended`."""

    step: int
    reason: TriggerReason
    ended: bool


@frozen
class Fired:
    """The last step is sent; the run decides nothing more."""


@frozen
class StoodDown:
    """The attempt before `step` arrived; final."""

    step: int


@frozen
class Rejected:
    """`step` could not be sent as it was ordered; final."""

    step: int


Life = Waiting | Triggered | Fired | StoodDown | Rejected


@frozen(kw_only=True)
class Step:
    """One step and what became of it; `message_id` once it is fired, `outcome` once it is known of."""

    planned: FallbackStep
    status: StepStatus = StepStatus.ARMED
    message_id: str | None = None
    outcome: ChannelOutcome | None = None
    error_code: str | None = None

    @property
    def channel(self) -> ChannelName:
        """The channel that it goes out on."""
        return self.planned.channel

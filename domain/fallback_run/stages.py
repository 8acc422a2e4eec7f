"""The stages of a fallback run and of its steps (C-51)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from attrs import frozen

from ..channel import ChannelName, ChannelOutcome
from .events import FallbackStep, TriggerReason


class RunStatus(StrEnum):
    """The statuses of C-51."""

    ARMED = "armed"
    FIRED = "fired"
    STOOD_DOWN = "stood_down"
    REJECTED = "rejected"


class StepStatus(StrEnum):
    """
    The status of a step, as far as its run knows.

    Once the step has a message, that message's own status says more.
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

    There is no deadline while a step's message is being dispatched: the wait begins with its outcome.
    Recovery records an outcome that is missing (C-50).
    """

    step: int
    deadline: datetime | None


@frozen
class Triggered:
    """`step` is due; it is sent once the attempt before it has `ended`."""

    step: int
    reason: TriggerReason
    ended: bool


@frozen
class Fired:
    """The last step was sent; the run makes no more decisions."""


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
    """One step and its progress: `message_id` once it is fired, `outcome` once it is known."""

    planned: FallbackStep
    status: StepStatus = StepStatus.ARMED
    message_id: str | None = None
    outcome: ChannelOutcome | None = None
    error_code: str | None = None

    @property
    def channel(self) -> ChannelName:
        """The channel of the step."""
        return self.planned.channel

"""A fallback run as a line of steps, as a page draws it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from attrs import field, frozen

from ....application.stories.message_story import Attempt, RunLine
from ....domain.destination import masked
from ....domain.fallback_run import StepStatus, TriggerReason
from ....domain.receipt import ReceiptStatus
from .telling import channel_words, counted

_REASONS = {
    TriggerReason.DEADLINE: "the time was over",
    TriggerReason.FAILED: "the attempt failed",
    TriggerReason.REJECTED: "the attempt was rejected",
}
_ARRIVED = tuple(each for each in ReceiptStatus if each.arrived)


@frozen(kw_only=True)
class Stop:
    """One attempt on the line; `wait` tells of the time between it and the next one."""

    title: str
    channel: str
    recipient: str = field(repr=False)
    message_id: str
    status: str
    code: str
    here: bool
    since: datetime | None
    reason: str
    deadline: datetime | None
    wait: str


@frozen(kw_only=True)
class Line:
    """The line of a run."""

    run_id: str
    fallback_id: str
    status: str
    wait: str
    stops: tuple[Stop, ...]


def line_of(run: RunLine, message_id: str, *, mask: bool) -> Line:
    """Return the line of a run, with the stop of a message marked; with `mask`, numbers are masked."""
    return Line(
        run_id=run.run_id,
        fallback_id=run.fallback_id,
        status=run.status,
        wait=counted(run.waittime_seconds, "second"),
        stops=tuple(_stop(run.attempts, at, message_id, mask) for at in range(len(run.attempts))),
    )


def _stop(attempts: Sequence[Attempt], at: int, message_id: str, mask: bool) -> Stop:
    each = attempts[at]
    after = attempts[at + 1] if at + 1 < len(attempts) else None
    return Stop(
        title=f"Step {each.number}" if each.number else "First message",
        channel=channel_words(each.channel),
        recipient=masked(each.recipient) if mask else each.recipient,
        message_id=each.message_id or "",
        status=each.status,
        code=each.error_code or "",
        here=each.message_id == message_id,
        since=each.triggered_at,
        reason="" if each.reason is None else _REASONS[each.reason],
        deadline=each.deadline,
        wait=_wait(each, after),
    )


def _wait(each: Attempt, after: Attempt | None) -> str:
    """Tell what is between an attempt and the next one."""
    if after is None:
        return ""
    if after.triggered_at is not None and after.reason is not None:
        return f"Then, because {_REASONS[after.reason]}:"
    if each.status in _ARRIVED or after.status == StepStatus.STOOD_DOWN:
        return "Not needed"
    return "Waits until" if each.deadline is not None else "Then:"

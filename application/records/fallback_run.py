"""The record of a fallback run."""

from __future__ import annotations

from datetime import datetime

from ...domain.event import Event
from ...domain.fallback_run import FallbackDispatched, FallbackRun, fallback_run_decider
from ...domain.fallback_run.redeciding import redecide
from ...domain.value import value
from .read_model import FoundBy, ReadModel, Row
from .record import Record


@value
class StepLine:
    """The progress of one step of a fallback run, as far as the run knows (C-51)."""

    channel: str
    message_id: str | None
    status: str
    error_code: str | None


@value(kw_only=True)
class FallbackRunRow(Row):
    """A fallback run of a message to a person, without the contents of its steps (C-51)."""

    id: str
    account_id: str
    person_id: str
    message_id: str
    fallback_id: str
    status: str
    waittime_seconds: int
    deadline: datetime | None
    steps: tuple[StepLine, ...]
    created_at: datetime
    updated_at: datetime


def _row(stream: str, run: FallbackRun) -> FallbackRunRow:
    return FallbackRunRow(
        id=stream,
        account_id=run.account_id,
        person_id=run.person_id,
        message_id=run.message_id,
        fallback_id=run.fallback_id,
        status=str(run.status),
        waittime_seconds=run.waittime_seconds,
        deadline=run.deadline,
        steps=tuple(
            StepLine(str(step.channel), step.message_id, str(step.status), step.error_code)
            for step in run.steps
        ),
        created_at=run.created_at,
        updated_at=run.updated_at,
    )


def _person(run: FallbackRun, event: Event) -> str:
    """Return the recipient of the step for its dispatch, and the primary's recipient for all else."""
    if isinstance(event, FallbackDispatched):
        return run.steps[event.step - 1].planned.person_id
    return run.person_id


FALLBACK_RUN = Record(
    decider=fallback_run_decider,
    prefix="run",
    state=FallbackRun,
    redecide=redecide,
    # Read by its key, which its message has. An erasure calls off its person's runs (C-74).
    read_model=ReadModel(
        row=FallbackRunRow,
        name="fallback_runs",
        found_by=(FoundBy("fallback_runs_by_person", ("person_id", "created_at", "id")),),
        changing=("status", "deadline", "steps", "updated_at"),
    ),
    project=_row,
    person=_person,
)

"""The changes of fallback runs, each with its due rows and the key of its seals."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from attrs import frozen

from ..domain.decider import Decision
from ..domain.fallback_run import FallbackRun, Triggered, Waiting, fallback_run_decider
from .journal import beginning, change
from .ports.event_store import Change, Due, DueKind, Loaded


@frozen
class RunChange:
    """
    A change of a run, and the rows of the same append.

    `due` is the due row of its next step. `done` are due rows that have become useless, and `dropping`
    seal keys that have (C-23).
    """

    changes: tuple[Change, ...] = ()
    due: tuple[Due, ...] = ()
    done: tuple[Due, ...] = ()
    dropping: tuple[str, ...] = ()


UNMOVED = RunChange()


def decided(run: FallbackRun, *decide: Callable[[FallbackRun], Decision]) -> Decision:
    """Make several decisions, each on the state after the one before."""
    whole = Decision()
    for each in decide:
        decision = each(run)
        whole = whole.followed_by(decision)
        run = fallback_run_decider.fold(decision.events, run)
    return whole


def begun(run_id: str, decision: Decision, now: datetime) -> RunChange:
    """Return the beginning of a run."""
    made = beginning(fallback_run_decider, run_id, decision)
    return _with_due_rows(run_id, None, made, now)


def moved(run_id: str, loaded: Loaded[FallbackRun], decision: Decision, now: datetime) -> RunChange:
    """Return the change of a decision on a run; `UNMOVED` for a decision without events."""
    if not decision.events:
        return UNMOVED
    made = change(fallback_run_decider, run_id, loaded, decision)
    return _with_due_rows(run_id, loaded.state, made, now)


def due_row(run_id: str, run: FallbackRun, now: datetime) -> Due | None:
    """Return the due row of a run: at the deadline of its wait, or now for a triggered step."""
    match run.life:
        case Waiting(step=step, deadline=datetime() as deadline):
            return Due(DueKind.FALLBACK, run_id, step, deadline)
        case Triggered(step=step):
            return Due(DueKind.FALLBACK, run_id, step, now)
        case _:
            return None


def _with_due_rows(
    run_id: str, before: FallbackRun | None, made: Change, now: datetime
) -> RunChange:
    after: FallbackRun = made.state
    earlier = None if before is None else due_row(run_id, before, now)
    later = due_row(run_id, after, now)
    sealed = any(step.planned.sealed for step in after.steps)
    needed = before is None or before.needs_seal
    return RunChange(
        (made,),
        due=(later,) if later is not None else (),
        done=(earlier,) if earlier is not None and earlier != later else (),
        dropping=(run_id,) if sealed and needed and not after.needs_seal else (),
    )

"""What the store has to keep for an aggregate beside its row: due rows, and seal keys (C-91)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from attrs import frozen

from ...domain.callback_endpoint import CallbackEndpoint
from ...domain.fallback_run import FallbackRun, Waiting
from ...domain.media import Media
from ...domain.message import Direction, Message
from ...domain.parked_receipt import ParkedReceipt
from ...domain.pin import Pin
from ..messages import run_changes
from ..messages.tracking import parked_receipts
from ..ports.event_store import Due, DueKind

# The time of a step that is due by now is not compared.
_ANY = datetime.max.replace(tzinfo=UTC)


@frozen
class Wanted:
    """
    A due row that there has to be, or that may be there where it is not `required`.

    `at` is None if it came from the machine's clock (D-11), or if nothing depends on it.
    """

    kind: DueKind
    number: int
    at: datetime | None
    required: bool = True


def wanted_due(stream: str, state: Any) -> Sequence[Wanted]:
    """Return the due rows that follow from the state of an aggregate; there may be no others."""
    match state:
        case Pin():
            return [
                Wanted(DueKind.ORPHANED_DISPATCH, issue, None)
                for issue in sorted(state.undispatched)
            ]
        case Message(direction=Direction.OUTBOUND, outcome=None):
            return [Wanted(DueKind.ORPHANED_DISPATCH, 1, None)]
        case FallbackRun(life=life):
            # The turn of a step is looked at when somebody gets to it.
            timed = isinstance(life, Waiting)
            due = run_changes.due_row(stream, state, _ANY)
            return [] if due is None else [_wanted(due, timed=timed)]
        case Media(removed_at=datetime()):
            # It goes with the file, soon.
            return [Wanted(DueKind.REMOVED_FILE, 1, None, required=False)]
        case ParkedReceipt():
            return [_wanted(due, timed=True) for due in parked_receipts.due_row(stream, state)]
        case _:
            return []


def needs_seal(state: Any) -> bool:
    """Whether a seal key is kept under the id of an aggregate."""
    match state:
        case FallbackRun():
            return state.needs_seal and any(step.planned.sealed for step in state.steps)
        case CallbackEndpoint(removed_at=None):
            return True
        case _:
            return False


def _wanted(due: Due, *, timed: bool) -> Wanted:
    return Wanted(due.kind, due.number, due.at if timed else None)

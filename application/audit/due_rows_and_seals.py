"""Compare the due rows and seal keys of a stream with those that its state needs (C-91)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from attrs import frozen

from ...domain.accounts.channel_account import ChannelAccount
from ...domain.callback_endpoint import CallbackEndpoint
from ...domain.event import ERASED
from ...domain.fallback_run import FallbackRun, Waiting
from ...domain.log_history import PrunedPart, Pruning
from ...domain.media import Media
from ...domain.message import Direction, Message
from ...domain.parked_receipt import ParkedReceipt
from ...domain.person import ErasedPerson
from ...domain.pin import Pin
from ...domain.test_destination import TestDestination
from ...domain.whatsapp_template import Submission, WhatsappTemplate
from .. import run_changes
from ..data_requests import erasure_stages
from ..messages.tracking import parked_receipts
from ..ports.event_store import Due, DueKind
from ..ports.sealer import KeyState, is_account
from ..ports.snapshot import KeptDue, KeptSeal
from ..retention.due_numbers import CONTENT, SEALED, STREAMS
from .differences import Difference, Kind

# The audit does not compare the due time of a triggered step.
_ANY = datetime.max.replace(tzinfo=UTC)


@frozen
class Wanted:
    """
    A due row that must exist; one that is not `required` may exist.

    `at` is None if the time came from the machine's clock (D-11), or is irrelevant.
    """

    kind: DueKind
    number: int
    at: datetime | None
    required: bool = True


def wanted_due(stream: str, state: Any) -> Sequence[Wanted]:
    """Return the due rows that follow from the state of an aggregate; no others may exist."""
    match state:
        case Pin():
            return [
                Wanted(DueKind.ORPHANED_DISPATCH, issue, None)
                for issue in sorted(state.undispatched)
            ]
        case Message(direction=Direction.OUTBOUND, outcome=None):
            return [Wanted(DueKind.ORPHANED_DISPATCH, 1, None)]
        case FallbackRun(life=life):
            # A triggered step has no exact time.
            timed = isinstance(life, Waiting)
            due = run_changes.due_row(stream, state, _ANY)
            return [] if due is None else [_wanted(due, timed=timed)]
        case Media(removed_at=datetime()):
            # The due row is removed with the file.
            return [Wanted(DueKind.REMOVED_FILE, 1, None, required=False)]
        case WhatsappTemplate(submission=Submission(due_at=datetime() as due_at)):
            return [Wanted(DueKind.TEMPLATE_SUBMISSION, 1, due_at)]
        case ParkedReceipt():
            return [_wanted(due, timed=True) for due in parked_receipts.due_row(stream, state)]
        case ErasedPerson():
            # Done rows are removed, one after the other.
            return [
                Wanted(DueKind.ERASURE, each, None, required=False) for each in erasure_stages.ALL
            ]
        case Pruning():
            number = SEALED if state.what is PrunedPart.SEALED else STREAMS
            return [Wanted(DueKind.RETENTION, number, None, required=False)]
        case _:
            return []


def is_of_content(due: KeptDue) -> bool:
    """Return whether a due row says when a shared content goes, which depends on its account's retention."""
    return due.kind == DueKind.RETENTION and due.number == CONTENT


def needs_seal(state: Any) -> bool:
    """Return whether the store must keep a seal key for an aggregate."""
    match state:
        case FallbackRun():
            return state.needs_seal and any(step.planned.sealed for step in state.steps)
        case CallbackEndpoint(removed_at=None):
            return True
        case ParkedReceipt():
            return bool(state.receipts)
        case TestDestination(removed_at=None):
            return True
        case ChannelAccount(sealed=True, secrets_dropped_at=None):
            return True
        case _:
            return False


def is_unreadable(state: Any) -> bool:
    """Return whether nothing opens the provider's id of parked receipts."""
    return isinstance(state, ParkedReceipt) and state.provider_message_id == ERASED


def due_differences(
    stream: str, wanted_rows: Sequence[Wanted], found: Sequence[KeptDue], latest: datetime
) -> Iterator[Difference]:
    """Compare a stream's due rows with the wanted ones; failed work may be due until `latest`."""
    kept = {(each.kind, each.number): each for each in found}
    for wanted in wanted_rows:
        has = kept.pop((str(wanted.kind), wanted.number), None)
        if has is None and not wanted.required:
            continue
        if has is None:
            yield _due_difference(stream, str(wanted.kind), wanted.number, "a due row", "none")
        elif has.at is None:
            yield _due_difference(stream, str(wanted.kind), wanted.number, "a time", "none")
        elif wanted.at is not None and has.at != wanted.at and not wanted.at < has.at <= latest:
            yield _due_difference(
                stream,
                str(wanted.kind),
                wanted.number,
                wanted.at.isoformat(),
                has.at.isoformat(),
            )
        elif wanted.at is None and has.at > latest:
            yield _due_difference(
                stream, str(wanted.kind), wanted.number, "a time soon", has.at.isoformat()
            )
    for each in kept.values():
        yield _due_difference(stream, each.kind, each.number, "none", "a due row")


def seal_differences(
    stream: str, kept: Sequence[KeptSeal], *, wanted: bool
) -> Iterator[Difference]:
    """
    Yield a difference if a seal key is missing, kept without need, or does not open.

    No state says whether an account has a key: `SealedOwners` compares those with all events.
    """
    if bool(kept) != wanted and not is_account(stream):
        yield seal_difference(stream, "a key" if wanted else "none", "a key" if kept else "none")
    for each in kept:
        if each.key not in (KeyState.OPENS, KeyState.UNKNOWN):
            yield seal_difference(stream, KeyState.OPENS, each.key)


def seal_difference(name: str, expected: str, found: str) -> Difference:
    """Return the difference of one seal key."""
    return Difference(kind=Kind.SEAL, what="Seal key", id=name, expected=expected, found=found)


def _wanted(due: Due, *, timed: bool) -> Wanted:
    return Wanted(due.kind, due.number, due.at if timed else None)


def _due_difference(stream: str, kind: str, number: int, expected: str, found: str) -> Difference:
    return Difference(
        kind=Kind.DUE,
        what="Due row",
        id=stream,
        field=f"{kind} {number}",
        expected=expected,
        found=found,
    )

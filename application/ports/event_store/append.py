"""What one append carries: events, and all that must be true at the same moment."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypedDict

from attrs import field, frozen
from msgspec import Struct

from ....domain.conditions import Condition
from ....domain.event import Event
from ....domain.value import value
from ..clock import Clock
from ..redacted import Redacted
from ..sealer import SealKey

if TYPE_CHECKING:
    # A writer's process, which gets no rows, starts without the read models.
    from ...records.read_model import Row

LEASE_SECONDS = 30


class Change(Struct, frozen=True):
    """
    New events of one stream, expected to be at `expected_version`, and the state they lead to.

    `conditions` are those of the decision. `Journal.write` puts them into the append, where stores look.
    """

    stream: str
    expected_version: int
    events: tuple[Event, ...]
    state: Any
    conditions: tuple[Condition, ...] = ()


class DueKind(StrEnum):
    """
    What falls due, and what its number counts.

    The next step of a fallback run, by the step (C-20); the end of a parked receipt's 24 hours
    (C-22); a dispatch whose outcome nobody has recorded, by the issue (C-15); the next attempt of a
    callback's delivery, by how many were begun before (C-33); the file of a removed medium, once (C-95).
    """

    FALLBACK = "fallback"
    PARKED_RECEIPT = "parked_receipt"
    ORPHANED_DISPATCH = "orphaned_dispatch"
    CALLBACK = "callback"
    REMOVED_FILE = "removed_file"

    def now(self, clock: Clock) -> datetime:
        """Return the time by which this kind falls due: the service's, for orphans the machine's (D-11)."""
        return clock.real() if self is DueKind.ORPHANED_DISPATCH else clock.now()


@value
class Due:
    """
    A due row: do the work of `kind` on number `number` of `stream` at the time `at`.

    Kind, stream and number are its identity: a row that is put again moves to the new time.
    """

    kind: DueKind
    stream: str
    number: int
    at: datetime = field(eq=False)


@frozen
class Checkpoint:
    """
    Moves the number `name` from `since` to `to`; the append is refused if it is not at `since`.

    A number that nobody has moved is 0. A follower of the log keeps its position in one (the tracking
    of event sourcing), and a delivery the count of its attempts: of two nodes that would do the same
    work, one gets it.
    """

    name: str
    since: int
    to: int


@frozen(kw_only=True)
class Reservation:
    """
    A claim on an Idempotency-Key (C-10).

    `scope` names account, route and key; `fingerprints` are those of the body, the newest key
    version's first; `owner` is unique to one request. The claim is a lease: it is free again when
    its owner has not renewed it for `LEASE_SECONDS` of real time.
    """

    scope: str
    fingerprints: tuple[str, ...]
    owner: str


class Append(Redacted, frozen=True, kw_only=True):
    """
    All that one step of a use case writes, in one transaction.

    Checked in this order: `taking` (the key is free), `completing` and `renewing` (the lease is
    still ours), the streams' versions, the conditions, the `checkpoints`. `rows` replace their read
    model's rows of the same key, `due` is added and `done` taken out; so are the seal keys of
    `keeping` and of the names in `dropping`, for good. `answer` is saved under `completing`, as it is.
    """

    at: datetime
    actor: str
    request_id: str
    changes: tuple[Change, ...] = ()
    conditions: tuple[Condition, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    rows: tuple[Row, ...] = ()
    due: tuple[Due, ...] = ()
    done: tuple[Due, ...] = ()
    keeping: tuple[SealKey, ...] = ()
    dropping: tuple[str, ...] = ()
    taking: Reservation | None = None
    completing: Reservation | None = None
    renewing: Reservation | None = None
    answer: bytes | None = None


class AppendExtras(TypedDict, total=False):
    """What an append may carry in addition to changes, their conditions and rows, as in `Append`."""

    conditions: tuple[Condition, ...]
    checkpoints: tuple[Checkpoint, ...]
    due: tuple[Due, ...]
    done: tuple[Due, ...]
    keeping: tuple[SealKey, ...]
    dropping: tuple[str, ...]
    taking: Reservation | None
    completing: Reservation | None
    answer: bytes | None

"""The parts of an append: events, and everything that must become true at the same moment."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from attrs import evolve, field, frozen
from msgspec import Struct

from ....domain.conditions import Condition
from ....domain.event import Event
from ....domain.value import value
from ..clock import Clock
from ..redacted import Redacted
from ..sealer import SealKey
from ..snapshot import Held

if TYPE_CHECKING:
    # The writer's process needs no rows, and starts faster without the read models.
    from ...records.read_model import Row

LEASE_SECONDS = 30


class Change(Struct, frozen=True):
    """
    New events of one stream, expected to be at `expected_version`, and the state after them.

    `conditions` are those of the decision. `Journal.write` copies them into the append, where stores
    read them.
    """

    stream: str
    expected_version: int
    events: tuple[Event, ...]
    state: Any
    conditions: tuple[Condition, ...] = ()


class DueKind(StrEnum):
    """
    The kinds of due work, each with the meaning of its number.

    `FALLBACK` is the next step of a fallback run, numbered by step (C-20). `PARKED_RECEIPT` is the end
    of a parked receipt's 24 hours (C-22). `ORPHANED_DISPATCH` is a dispatch without a recorded outcome,
    numbered by issue (C-15). `CALLBACK` is the next attempt of a delivery, numbered by the attempts
    before it (C-33). `REMOVED_FILE` is the file of a removed medium (C-95).
    `TEMPLATE_SUBMISSION` is the next attempt to submit a template, always numbered 1 (C-99).
    `ERASURE` is a stage of a person's erasure (C-74). `RETENTION` is a part of a recorded step of
    retention that is not finished: 1 for sealed lines, 2 for streams; or a content that goes later, 3
    (C-75).
    """

    FALLBACK = "fallback"
    PARKED_RECEIPT = "parked_receipt"
    ORPHANED_DISPATCH = "orphaned_dispatch"
    CALLBACK = "callback"
    REMOVED_FILE = "removed_file"
    TEMPLATE_SUBMISSION = "template_submission"
    ERASURE = "erasure"
    RETENTION = "retention"

    def now(self, clock: Clock) -> datetime:
        """Return the time by which this kind is due: the service's; for orphans, the machine's (D-11)."""
        return clock.real() if self is DueKind.ORPHANED_DISPATCH else clock.now()


@value
class Due:
    """
    A due row: do the work of `kind` on number `number` of `stream` at the time `at`.

    Kind, stream and number identify it: a row that is written again moves to the new time.
    """

    kind: DueKind
    stream: str
    number: int
    at: datetime = field(eq=False)

    @property
    def key(self) -> tuple[str, str, int]:
        """What identifies the row."""
        return str(self.kind), self.stream, self.number


@frozen
class Checkpoint:
    """
    Moves the number `name` from `since` to `to`; the append is refused if it is not at `since`.

    A number starts at 0. A follower of the log stores its position in one (the tracking of event
    sourcing), and a delivery the count of its attempts. Of two nodes with the same work, one is
    refused.
    """

    name: str
    since: int
    to: int


@frozen(kw_only=True)
class Reservation:
    """
    A claim on an Idempotency-Key (C-10).

    `scope` names account, route and key. `fingerprints` are those of the body, the newest key version's
    first. `owner` is unique to one request. `person_id` is the person whom the call is about, if it is
    one. The claim is a lease: it ends when its owner has not renewed it for `LEASE_SECONDS` of real time.
    """

    scope: str
    fingerprints: tuple[str, ...]
    owner: str
    person_id: str | None = None

    def about(self, person_id: str) -> Reservation:
        """Return the claim of a call about one person, whose erasure ends its answer (C-74)."""
        return evolve(self, person_id=person_id)


@frozen
class PersonRecord:
    """
    A person: an account and a canonical destination, which the store knows by their HMAC alone (C-73).

    `key` is named `person_id`, and opens all that is sealed for the person. It goes with the record.
    `verified_at` is the time of the last verification that the store keeps, at most a day too early.
    """

    person_id: str
    account_id: str
    hmac: str = field(repr=False)
    key: SealKey
    verified_at: datetime | None = None


class TallyCorrection(NamedTuple):
    """How much a bucket of a budget counts too little; negative for too much."""

    subject: str
    bucket: int
    window: timedelta
    sent: int
    verified: int


class Repair(Redacted, frozen=True, kw_only=True):
    """
    What a rebuild puts right: no event says so, because it follows from those that the log has (D-448).

    `rows` replace the rows with the same key whole, also in fields that no other append changes.
    `stray_rows` are removed: each is a read model and a key. So are `stray_holders`, whose subjects are as
    the store has them, and `stray_due`: each is a kind, which may be unknown, a stream and a number.
    `tallies` are added to what the budgets count.
    """

    rows: tuple[Row, ...] = ()
    stray_rows: tuple[tuple[type[Row], str], ...] = ()
    stray_holders: tuple[Held, ...] = ()
    stray_due: tuple[tuple[str, str, int], ...] = ()
    tallies: tuple[TallyCorrection, ...] = ()


class Append(Redacted, frozen=True, kw_only=True):
    """
    The writes of one step of a use case, in one transaction.

    Checked in this order: `taking` (the key is free), `completing` and `renewing` (the lease is still
    ours), the streams' versions, the people of `new_people` (each HMAC is new) and of `erasing` (each is
    there), the conditions, the `checkpoints`, the `standing` due rows (each is there, and due at its
    time). `rows` replace the rows of their read models with the same key. `due` rows are added, `done`
    rows removed. The seal keys of `keeping` are added; those with names in `dropping` are removed for
    good. The people of `new_people` are added; those of `erasing` are removed with their keys. `answer` is
    saved under `completing`, byte for byte. What would be sealed for a person of `erased` is left out, and
    reads as erased. A `repair` is made under the same checks.
    """

    at: datetime
    actor: str
    request_id: str
    changes: tuple[Change, ...] = ()
    conditions: tuple[Condition, ...] = ()
    checkpoints: tuple[Checkpoint, ...] = ()
    standing: tuple[Due, ...] = ()
    rows: tuple[Row, ...] = ()
    due: tuple[Due, ...] = ()
    done: tuple[Due, ...] = ()
    keeping: tuple[SealKey, ...] = ()
    dropping: tuple[str, ...] = ()
    new_people: tuple[PersonRecord, ...] = ()
    erasing: tuple[str, ...] = ()
    erased: frozenset[str] = frozenset()
    taking: Reservation | None = None
    completing: Reservation | None = None
    renewing: Reservation | None = None
    answer: bytes | None = None
    repair: Repair | None = None

    @property
    def only_continues(self) -> bool:
        """Whether all events continue streams, so that the append records what has happened already."""
        return bool(self.changes) and all(each.expected_version > 0 for each in self.changes)


class AppendExtras(TypedDict, total=False):
    """The parts of an `Append` beside changes, their conditions and rows."""

    conditions: tuple[Condition, ...]
    checkpoints: tuple[Checkpoint, ...]
    standing: tuple[Due, ...]
    due: tuple[Due, ...]
    done: tuple[Due, ...]
    keeping: tuple[SealKey, ...]
    dropping: tuple[str, ...]
    new_people: tuple[PersonRecord, ...]
    erasing: tuple[str, ...]
    erased: frozenset[str]
    taking: Reservation | None
    completing: Reservation | None
    answer: bytes | None
    repair: Repair | None

"""The port for everything that is kept: one append with all of it in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from attrs import field, frozen

from ...domain.conditions import Condition
from ...domain.decider import Decider
from ...domain.event import Event
from ..read_models.rows import Row
from .clock import Clock
from .listings import Listings
from .sealer import SealKey
from .snapshot import Snapshot

S = TypeVar("S")


@frozen
class Loaded(Generic[S]):
    """An aggregate's state and the version it is at; version 0 when there is no such stream."""

    state: S
    version: int


@frozen(kw_only=True)
class Recorded:
    """
    One event in its envelope (C-38).

    `version` counts the stream's events from 1; `position` is its place in the whole log. `schema`
    is the version of the event's form.
    """

    position: int
    event_id: str
    stream: str
    version: int
    type: str
    schema: int
    actor: str
    request_id: str
    event: Event


@frozen
class Change:
    """New events of one stream, expected to be at `expected_version`, and the state they lead to."""

    stream: str
    expected_version: int
    events: tuple[Event, ...]
    state: Any


class DueKind(StrEnum):
    """
    What falls due, and what its number counts.

    The next step of a fallback run, by the step (C-20); the end of a parked receipt's 24 hours
    (C-22); a dispatch whose outcome nobody has recorded, by the issue (C-15); the next attempt of a
    callback's delivery, by how many were begun before (C-33).
    """

    FALLBACK = "fallback"
    PARKED_RECEIPT = "parked_receipt"
    ORPHANED_DISPATCH = "orphaned_dispatch"
    CALLBACK = "callback"

    def now(self, clock: Clock) -> datetime:
        """Give the time by which this kind falls due: the service's, for orphans the machine's (D-11)."""
        return clock.real() if self is DueKind.ORPHANED_DISPATCH else clock.now()


@frozen
class Due:
    """
    A reminder: do `kind` for number `number` of `stream` when `at` has come.

    Kind, stream and number are its identity: put again, it moves to the new time.
    """

    kind: DueKind
    stream: str
    number: int
    at: datetime = field(eq=False)


@frozen
class Advance:
    """
    The number `name` still stands at `since`, and stands at `to` from now on.

    What nobody has moved yet, or moved to 0, stands at 0. Whoever follows the log moves the position
    up to which it has (the tracking of event sourcing), and whoever begins an attempt counts it: of
    two that would do the same, on any number of nodes, one does.
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


LEASE_SECONDS = 30
# Hints are lost, clocks move, other processes write: whoever does due work looks again by then. An
# orphan falls due 45 s after its dispatch began at the latest (D-11), and is to be closed within 60 s
# (C-65).
LONGEST_SLEEP = timedelta(seconds=10)
REPLAY_SECONDS = 24 * 60 * 60


@frozen(kw_only=True)
class Append:
    """
    All that one step of a use case writes; it happens whole or not at all.

    Checked in this order: `taking` (the key is free), `completing` and `renewing` (the lease is
    still ours), the streams' versions, the conditions, the `advances`. `rows` replace their read
    model's rows of the same key, `due` is added and `done` taken out; so are the seal keys of
    `keeping` and of the names in `dropping`, for good. `answer` is saved under `completing`, as it is.
    """

    at: datetime
    actor: str
    request_id: str
    changes: tuple[Change, ...] = ()
    conditions: tuple[Condition, ...] = ()
    advances: tuple[Advance, ...] = ()
    rows: tuple[Row, ...] = ()
    due: tuple[Due, ...] = ()
    done: tuple[Due, ...] = ()
    keeping: tuple[SealKey, ...] = ()
    dropping: tuple[str, ...] = ()
    taking: Reservation | None = None
    completing: Reservation | None = None
    renewing: Reservation | None = None
    answer: bytes | None = field(default=None, repr=False)


class StoreRefusal(Exception):
    """The append was refused whole, and nothing of it was written."""


class StreamConflict(StoreRefusal):
    """A stream is at another version than expected: somebody else was faster."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{stream} moved on; load it and decide again.")
        self.stream = stream


class RateReached(StoreRefusal):
    """A `WithinRate` does not hold; a use is free again at `free_at`."""

    def __init__(self, subject: str, free_at: datetime) -> None:
        super().__init__("A rate ceiling is reached.")
        self.subject = subject
        self.free_at = free_at


class HeldByOthers(StoreRefusal):
    """A `SoleHolder` does not hold; `holders` are the others who hold the subject now."""

    def __init__(self, subject: str, holders: frozenset[str]) -> None:
        super().__init__("Somebody else holds it.")
        self.subject = subject
        self.holders = holders


class Overtaken(StoreRefusal):
    """An `Advance` does not hold: somebody else has moved the number `name`."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} was moved on by somebody else.")
        self.name = name


class KeyAnswered(StoreRefusal):
    """The Idempotency-Key has its answer already: give it again, byte for byte."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("This Idempotency-Key has its answer already.")
        self.answer = answer


class KeyInProgress(StoreRefusal):
    """Another request with the same Idempotency-Key is under way, for `seconds_left` at most."""

    def __init__(self, seconds_left: float) -> None:
        super().__init__("This Idempotency-Key is in progress.")
        self.seconds_left = seconds_left


class KeyReused(StoreRefusal):
    """The Idempotency-Key was used with another body."""

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used with another body.")


class LeaseLost(StoreRefusal):
    """The reservation is no longer ours: save nothing and tell nothing (C-10)."""

    def __init__(self) -> None:
        super().__init__("The lease on this Idempotency-Key was lost.")


class StoreUnavailable(Exception):
    """
    The store cannot be reached, is full, or did not answer in time; try again later.

    `reason` names the kind of failure for the log. The text is not for it: databases quote values.
    """

    def __init__(self, text: str, reason: str = "other") -> None:
        super().__init__(text)
        self.reason = reason


class EventStore(Listings, Protocol):
    """
    Keeps the events, and with them all that must be true at the same moment.

    Every method may raise `StoreUnavailable`. What `append` has returned is durable: it survives
    the death of the process and of the machine.
    """

    async def append(self, append: Append) -> Sequence[int]:
        """
        Write everything in `append`, or nothing.

        Returns the log positions of the events, in the order of the changes. Raises a
        `StoreRefusal` when a check does not hold. A `StoreUnavailable` may leave open whether the
        append happened.
        """
        ...

    async def probe(self) -> None:
        """Write something that means nothing, the way an append is written."""
        ...

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S]:
        """Rebuild an aggregate: at least everything appended before the call began."""
        ...

    def recall(self, stream: str) -> Loaded[Any] | None:
        """
        Give what this process wrote or read last of a stream, if it is in memory still.

        Others may have written since. After an append was refused with `StreamConflict` it is
        newer than what the append expected, or None.
        """
        ...

    async def check_key(self, reservation: Reservation, now: datetime) -> None:
        """Raise what `append` would raise for taking this reservation; nothing when it is free."""
        ...

    async def holders(self, subject: str) -> frozenset[str]:
        """Give who holds a subject now."""
        ...

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """Give what is due, the earliest first; however much waits, it costs what it gives."""
        ...

    async def next_due(self, kind: DueKind) -> datetime | None:
        """Give the time of the earliest due row, past or to come; None where nothing waits."""
        ...

    def watching_due(
        self, due_added: Callable[[DueKind, datetime], None]
    ) -> AbstractContextManager[None]:
        """
        Call `due_added` for every due row that this store's appends put, while the block runs.

        It is called on the event loop once the append is durable, before its caller is told, and
        returns at once. It may be called for rows of other processes, too. A hint to look, and no
        promise: those, and rows of an append whose outcome stayed open, may be missed. So whoever
        watches looks by itself at least every `LONGEST_SLEEP`.
        """
        ...

    async def position(self, name: str) -> int:
        """Give where the number stands that an `Advance` moves."""
        ...

    async def seal_key(self, name: str) -> SealKey | None:
        """Give a seal key that is kept."""
        ...

    async def seals_under(self, version: int) -> bool:
        """Say whether any seal key is kept that a version of the code key wraps."""
        ...

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Give the events behind position `after`, in commit order."""
        ...

    async def read_stream(self, stream: str) -> Sequence[Recorded]:
        """Give all events of one stream, in order."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[Snapshot]:
        """Hold the store as it is on entering, with everything appended before, to look through."""
        ...

    async def forget_answers(self, before: datetime) -> int:
        """
        Drop saved answers whose keys were taken before a time, and give how many.

        An implementation may drop only some of them at once; nothing left means 0.
        """
        ...

    async def forget_rows(self, rows: type[Row], column: str, before: datetime) -> int:
        """
        Drop the rows whose time in `column` is before a time, and give how many.

        For rows that no event tells of. As with answers, some at once; nothing left means 0.
        """
        ...

    async def forget_uses(self, prefix: str, before: datetime) -> int:
        """
        Drop the uses of subjects that begin with `prefix` and were last used before a time.

        For rates whose ceiling and window are no setting. As with answers, some at once; nothing left
        means 0.
        """
        ...

    async def setting(self, name: str) -> str | None:
        """Give a small value that the service keeps beside the events."""
        ...

    async def keep_setting(self, name: str, value: str, *, only_new: bool = False) -> str:
        """Keep a small value and give the one that holds; `only_new` leaves an older one."""
        ...

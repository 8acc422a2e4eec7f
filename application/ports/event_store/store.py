"""The store itself: what is appended, loaded, looked up, followed and forgotten."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from attrs import frozen
from msgspec import Struct

from ....domain.decider import Decider
from ....domain.event import Event
from ..listings import Listings
from ..sealer import SealKey
from ..snapshot import Snapshot
from .append import Append, Due, DueKind, Reservation

if TYPE_CHECKING:
    from ...records.read_model import Row

S = TypeVar("S")

# Hints are lost, clocks move, other processes write: whoever does due work looks again by then. An
# orphan falls due 45 s after its dispatch began at the latest (D-11), and is to be closed within 60 s
# (C-65).
LONGEST_SLEEP = timedelta(seconds=10)
REPLAY_SECONDS = 24 * 60 * 60


class Loaded(Struct, Generic[S], frozen=True):
    """An aggregate's state and its version, which is the number of its events."""

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

    async def newest(self) -> int:
        """Return the position of the newest event; 0 where there is none."""
        ...

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """
        Rebuild an aggregate: at least everything appended before the call began.

        A stream without events has no state (D-172), and gives None.
        """
        ...

    def recall(self, stream: str) -> Loaded[Any] | None:
        """
        Return what this process wrote or read last of a stream, if it is in memory still.

        Others may have written since. After an append was refused with `StreamConflict` it is
        newer than what the append expected, or None.
        """
        ...

    async def check_key(self, reservation: Reservation, now: datetime) -> None:
        """Raise what `append` would raise for taking this reservation; nothing when it is free."""
        ...

    async def holders(self, subject: str) -> frozenset[str]:
        """Return who holds a subject now."""
        ...

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """Return what is due, the earliest first; however much waits, it costs what it gives."""
        ...

    async def next_due(self, kind: DueKind) -> datetime | None:
        """Return the time of the earliest due row, past or to come; None where nothing waits."""
        ...

    def watching_due(
        self, kind: DueKind, due_added: Callable[[datetime], None]
    ) -> AbstractContextManager[None]:
        """
        Call `due_added` for every due row of a kind that this store's appends put, while the block runs.

        It is called on the event loop once the append is durable, before its caller is told, and
        returns at once. It may be called for rows of other processes, too. A hint to look, and no
        promise: those, and rows of an append whose outcome stayed open, may be missed. So whoever
        watches looks by itself at least every `LONGEST_SLEEP`.
        """
        ...

    async def position(self, name: str) -> int:
        """Return where the number stands that a `Checkpoint` moves."""
        ...

    async def seal_key(self, name: str) -> SealKey | None:
        """Return a seal key that is kept."""
        ...

    async def seals_under(self, version: int) -> bool:
        """Say whether any seal key is kept that a version of the code key wraps."""
        ...

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Return the events behind position `after`, in commit order."""
        ...

    async def read_stream(self, stream: str) -> Sequence[Recorded]:
        """Return all events of one stream, in order."""
        ...

    async def first_actors(self, streams: Collection[str]) -> Mapping[str, str]:
        """Return who began each stream: the actor of its first event. Those without one are left out."""
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

        For rows that no event records. As with answers, some at once; nothing left means 0.
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
        """Return a small value that the service keeps beside the events."""
        ...

    async def keep_setting(self, name: str, value: str, *, only_new: bool = False) -> str:
        """Keep a small value and give the one that holds; `only_new` leaves an older one."""
        ...

"""The store: append, load, look up, follow and forget."""

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
from ..prunable_log import PrunableLog
from ..sealed_log import SealedLog
from ..sealer import SealKey
from ..snapshot import Snapshot
from .append import Append, Due, DueKind, PersonRecord, Reservation
from .outlines import Outline

if TYPE_CHECKING:
    from ...records.read_model import Row

S = TypeVar("S")

# Hints are lost, clocks move and other processes write, so a worker polls at least this often. An orphan
# is due at most 45 s after its dispatch began (D-11), and must be closed within 60 s (C-65).
LONGEST_SLEEP = timedelta(seconds=10)
REPLAY_SECONDS = 24 * 60 * 60


class Loaded(Struct, Generic[S], frozen=True):
    """An aggregate's state, and its version: the number of its events."""

    state: S
    version: int


@frozen(kw_only=True)
class Recorded:
    """
    One event in its envelope (C-38).

    `version` counts the stream's events from 1; `position` is its place in the log. `schema` is the
    version of the event's form. `account` and `person` say whose event it is; few have neither.
    """

    position: int
    event_id: str
    stream: str
    version: int
    type: str
    schema: int
    actor: str
    request_id: str
    account: str | None = None
    person: str | None = None
    event: Event


class EventStore(Listings, Protocol):
    """
    Stores the events, and everything that must become true at the same moment.

    Every method may raise `StoreUnavailable`. Whatever `append` has returned is durable: it survives
    the death of the process and of the machine.
    """

    @property
    def sealed_log(self) -> SealedLog:
        """The tiles and heads over the events of this store."""

    @property
    def prunable_log(self) -> PrunableLog:
        """The events of this store as retention sees them."""

    async def append(self, append: Append) -> Sequence[int]:
        """
        Write everything in `append`, or nothing.

        Returns the log positions of the events, in the order of the changes. Raises a
        `StoreRefusal` when a check fails. After a `StoreUnavailable`, the append may or may not
        have been written.
        """
        ...

    async def probe(self) -> None:
        """Write a value without meaning, in the way of an append."""
        ...

    async def newest(self) -> int:
        """Return the position of the newest event; 0 without events."""
        ...

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """
        Rebuild an aggregate, including at least everything appended before the call began.

        Returns None for a stream without events (D-172), and for one that retention pruned (D-454).
        """
        ...

    def recall(self, stream: str) -> Loaded[Any] | None:
        """
        Return the state of a stream that this process wrote or read last, if it is cached.

        Other processes may have written since. After an append was refused with `StreamConflict`,
        the state is newer than the append expected, or None.
        """
        ...

    async def check_key(self, reservation: Reservation, now: datetime) -> None:
        """Raise the refusal of an append with this reservation in `taking`; return if the key is free."""
        ...

    async def holders(self, subject: str) -> frozenset[str]:
        """Return the current holders of a subject."""
        ...

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """
        Return due rows, the earliest first.

        The cost depends on the rows returned, not on those that wait.
        """
        ...

    async def next_due(self, kind: DueKind) -> datetime | None:
        """Return the time of the earliest due row, past or future; None without due rows."""

    def watching_due(
        self, kind: DueKind, due_added: Callable[[datetime], None]
    ) -> AbstractContextManager[None]:
        """
        While the block runs, call `due_added` for every due row of a kind in this store's appends.

        The call runs on the event loop once the append is durable, before `append` returns, and must
        return at once. It may also come for rows of other processes. It is only a hint: those, and rows of
        an append with an unknown outcome, may be missed. A caller polls at least every `LONGEST_SLEEP`.
        """

    def watching_log(self, grown: Callable[[], None], /) -> AbstractContextManager[None]:
        """Call `grown` after appends of other processes, too; as much a hint as that of `watching_due`."""

    async def position(self, name: str) -> int:
        """Return the number `name`, which a `Checkpoint` moves."""
        ...

    async def seal_key(self, name: str) -> SealKey | None:
        """Return a seal key."""
        ...

    async def people(self, hmacs: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these HMACs, by HMAC, in one read."""
        ...

    async def person(self, hmac: str) -> PersonRecord | None:
        """
        Return the person with this HMAC, for a call that appends something for the person next.

        Looked up on the way of appends, together with those that are written at the same time.
        """
        ...

    async def people_named(self, person_ids: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these ids, by id, in one read."""
        ...

    async def versions(self, streams: Collection[str]) -> Mapping[str, int]:
        """Return the number of events of each stream; streams without events are left out."""
        ...

    def forget_person(self, person_id: str) -> None:
        """
        Forget what this process keeps of an erased person in memory: the key, and cached states.

        The store itself lost the key when the person was erased.
        """
        ...

    async def erase_rows(self, person_id: str) -> int:
        """
        Erase what the read models, the holders of provider ids and the tallies still store of a person.

        Rows lose their personal members and stay; return how many did. An implementation may erase only
        some at once; 0 means that none is left.
        """
        ...

    async def scrub(self) -> bool:
        """Remove from the store's files what was deleted; return False while a reader prevents it."""
        ...

    async def keep_key(self, key: SealKey) -> SealKey:
        """
        Store a key unless there is one of its name, and return the stored one.

        It is durable on return. Of two nodes that make a key for one name, both get the same.
        """
        ...

    async def keys_under(self, version: int, limit: int, after: str = "") -> Sequence[SealKey]:
        """
        Return keys that a version of the code key wraps: people's, accounts', and seal keys.

        They come in the order of their names, which begin behind `after`.
        """
        ...

    async def rewrap(self, keys: Sequence[tuple[SealKey, SealKey]]) -> int:
        """Replace keys by the same keys wrapped anew, unless they changed; return how many changed."""
        ...

    async def seals_under(self, version: int) -> bool:
        """Return whether a version of the code key wraps any key: a seal's, a person's, an account's."""
        ...

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Return the events after position `after`, in commit order."""
        ...

    async def read_stream(self, stream: str) -> Sequence[Recorded]:
        """Return all events of one stream, in order."""
        ...

    async def read_outlines(
        self, after: int, limit: int, kinds: Collection[str]
    ) -> Sequence[Outline]:
        """
        Return the outlines of the events after position `after`, in commit order, and open nothing.

        Events of other kinds, which are names of their classes, have their places alone.
        """
        ...

    async def outlines_of(
        self, streams: Collection[str], until: int, kinds: Collection[str]
    ) -> Mapping[str, Sequence[Outline]]:
        """Return the outlines of the events of some streams up to a position, by stream, in order."""
        ...

    async def first_actors(self, streams: Collection[str]) -> Mapping[str, str]:
        """Return the actor of each stream's first event; streams without events are left out."""
        ...

    def snapshot(self) -> AbstractAsyncContextManager[Snapshot]:
        """Open a snapshot of the store, with everything that was appended before."""
        ...

    async def forget_answers(self, before: datetime) -> int:
        """
        Drop saved answers whose keys were claimed before a time; return how many.

        An implementation may drop only some of them at once; 0 means that none is left.
        """
        ...

    async def forget_answers_about(self, person_id: str) -> int:
        """
        Drop the saved answers to calls that were about one person; return how many.

        An implementation may drop only some of them at once; 0 means that none is left.
        """
        ...

    async def forget_rows(self, rows: type[Row], column: str, before: datetime) -> int:
        """
        Drop the rows whose time in `column` is before a time; return how many.

        Only for rows without events. An implementation may drop only some at once; 0 means that
        none is left.
        """
        ...

    async def forget_uses(self, prefix: str, before: datetime) -> int:
        """
        Drop the uses of subjects with `prefix` that were last used before a time; return how many.

        Only for rates with fixed limits and windows. An implementation may drop only some at once;
        0 means that none is left.
        """
        ...

    async def forget_tallies(self, before: datetime) -> int:
        """
        Drop the tallies that no window reaches any more at `before`; return how many.

        An implementation may drop only some of them at once; 0 means that none is left.
        """
        ...

    async def setting(self, name: str) -> str | None:
        """Return a small value that is stored beside the events."""
        ...

    async def keep_setting(self, name: str, value: str, *, only_new: bool = False) -> str:
        """Store a small value and return the current one; with `only_new`, an older value is kept."""
        ...

"""The port for reading a whole store at one moment, for the audit."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from attrs import field, frozen

from ...domain.event import Event
from .sealed_log import Head, KeptTile, RawEvent
from .sealer import KeyState

if TYPE_CHECKING:
    from ..records.read_model import Row

R = TypeVar("R", bound="Row")


@frozen(kw_only=True)
class KeptEvent:
    """
    An event in the log; `event` is None if this release cannot read it.

    `as_written` is False if its bytes, in the newest form, differ from those that this release writes.
    `account` and `people` say whose the event is, and for whom parts of it are sealed. `owners` are
    the accounts and parked receipts whose keys seal parts of it. Of a `blanked` event, retention took
    what was sealed.
    """

    position: int
    stream: str
    version: int
    topic: str
    event: Event | None
    as_written: bool = True
    account: str | None = None
    people: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    blanked: bool = False


class Placed(NamedTuple):
    """
    The position of an event in the log, and its envelope (C-38).

    All of the envelope is None if it cannot be read.
    """

    position: int
    stream: str
    version: int
    event_id: str | None
    at: datetime | None
    request_id: str | None


class KeptUse(NamedTuple):
    """The use number `number` of a subject under its rates; `at` is None if it is no valid time."""

    subject: str
    number: int
    at: datetime | None


class KeptDue(NamedTuple):
    """A due row as it is stored; `kind` may be unknown, `at` is None if it is no valid time."""

    stream: str
    kind: str
    number: int
    at: datetime | None


class KeptTally(NamedTuple):
    """What a budget of the guard counted in one of its buckets."""

    subject: str
    bucket: int
    sent: int
    verified: int


class KeptAnswer(NamedTuple):
    """A claimed Idempotency-Key, and its saved answer, if there is one."""

    scope: str
    taken_at: datetime | None
    answer: bytes | None


class KeptPerson(NamedTuple):
    """
    A person whose key the store has, the account that knows the person, and the number's HMAC.

    `verified_at` is the time of the last verification that the store keeps.
    """

    person_id: str
    account_id: str
    hmac: str
    key: KeyState
    verified_at: datetime | None = None


class KeptSeal(NamedTuple):
    """The name of a key that is no person's, and whether it opens."""

    name: str
    key: KeyState


class KeptPosition(NamedTuple):
    """A number that a `Checkpoint` moves."""

    name: str
    position: int


class Flaw(NamedTuple):
    """A difference between a table, an index or a setting of the database and its definition in the code."""

    what: str
    name: str
    field: str
    expected: str
    found: str
    # Reading it would run code of a stranger, perhaps without end (D-165).
    runs: bool = False


@frozen
class KeptRow(Generic[R]):
    """
    A read model's row under its key; `row` is None if this release cannot read it.

    Without `is_open`, this reader has no key for the row's personal members, which show so. `left` is
    the person without a key of whom something is left all the same: a sealed text, or an HMAC.
    """

    key: str
    row: R | None
    is_open: bool = True
    left: str | None = None


@frozen(order=True)
class Held:
    """`holder` holds `subject`."""

    holder: str
    subject: str = field(repr=False)


class Snapshot(Protocol):
    """
    A store at the moment of the snapshot, whatever is written meanwhile.

    Results come in the order of code points, a part at a time, so that a store of any size can be read
    side by side. Every method may raise `StoreUnavailable`. A snapshot that is held for long may keep
    its store from cleaning up.
    """

    async def damage(self) -> Sequence[str]:
        """Return the damage that the store itself finds in its files; nothing for a whole store."""
        ...

    async def size(self) -> int:
        """Return the number of events."""
        ...

    def events(self, prefix: str = "") -> AsyncIterator[KeptEvent]:
        """Yield every event of the streams whose ids begin with `prefix`, by stream and version."""
        ...

    def rows(self, rows: type[R]) -> AsyncIterator[KeptRow[R]]:
        """Yield every row of one read model, by key."""
        ...

    def holders(self) -> AsyncIterator[Held]:
        """Yield each holder with its subject, by holder and subject."""
        ...

    async def flaws(self) -> Sequence[Flaw]:
        """Return the differences of the database from the code; nothing if it has no tables."""
        ...

    async def setting(self, name: str) -> str | None:
        """Return a small value."""
        ...

    def placed(self) -> AsyncIterator[Placed]:
        """Yield the position of every event, in order."""
        ...

    def uses(self) -> AsyncIterator[KeptUse]:
        """Yield every use, by subject and number."""
        ...

    def tallies(self) -> AsyncIterator[KeptTally]:
        """Yield every tally, by subject and bucket."""
        ...

    def due(self) -> AsyncIterator[KeptDue]:
        """Yield every due row, by stream, kind and number."""
        ...

    def seals(self) -> AsyncIterator[KeptSeal]:
        """Yield all seal keys, by name."""
        ...

    def people(self) -> AsyncIterator[KeptPerson]:
        """Yield every person whose key the store has, by id."""
        ...

    def answers(self) -> AsyncIterator[KeptAnswer]:
        """Yield every Idempotency-Key, by scope."""
        ...

    def positions(self) -> AsyncIterator[KeptPosition]:
        """Yield every number that a `Checkpoint` moved, by name."""
        ...

    def raw_events(self) -> AsyncIterator[RawEvent]:
        """Yield every event as it is stored, by position."""
        ...

    def tiles(self, level: int) -> AsyncIterator[KeptTile]:
        """Yield the tiles of a level of the sealed log, by index."""
        ...

    def heads(self) -> AsyncIterator[Head]:
        """Yield every head of the sealed log, by size."""
        ...

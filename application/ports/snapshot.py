"""The port for looking through a whole store at one moment: what an audit compares."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from attrs import field, frozen

from ...domain.event import Event

if TYPE_CHECKING:
    from ..records.read_model import Row

R = TypeVar("R", bound="Row")


@frozen(kw_only=True)
class KeptEvent:
    """
    An event as the log keeps it; `event` is None where this release cannot read it.

    `as_written` is False where its bytes, of the newest form, are not those that this release writes.
    """

    position: int
    stream: str
    version: int
    topic: str
    event: Event | None
    as_written: bool = True


class Placed(NamedTuple):
    """
    Where an event stands in the log, and what its envelope says beside the event (C-38).

    All of the envelope is None where it cannot be read.
    """

    position: int
    stream: str
    version: int
    event_id: str | None
    at: datetime | None
    request_id: str | None


class KeptUse(NamedTuple):
    """The use number `number` of a subject under its rates; `at` is None where it is no time."""

    subject: str
    number: int
    at: datetime | None


class KeptDue(NamedTuple):
    """A due row as it is kept; `kind` may be none of ours, `at` is None where it is no time."""

    stream: str
    kind: str
    number: int
    at: datetime | None


class KeptAnswer(NamedTuple):
    """An Idempotency-Key that was taken, and what is saved under it, if anything is yet."""

    scope: str
    taken_at: datetime | None
    answer: bytes | None


class KeptPosition(NamedTuple):
    """A number that a `Checkpoint` moves."""

    name: str
    position: int


class Flaw(NamedTuple):
    """A table, an index or a setting of the database that is not as the code makes it."""

    what: str
    name: str
    field: str
    expected: str
    found: str
    # Reading it would run what somebody else wrote, perhaps without end (D-165).
    runs: bool = False


@frozen
class KeptRow(Generic[R]):
    """A read model's row under its key; `row` is None where this release cannot read it."""

    key: str
    row: R | None


@frozen(order=True)
class Held:
    """`holder` holds `subject`."""

    holder: str
    subject: str = field(repr=False)


class Snapshot(Protocol):
    """
    A store as it was when the snapshot was taken, whatever is written meanwhile.

    What is given comes in the order of code points, a part at a time, so that a store of any size
    can be walked through side by side. Every method may raise `StoreUnavailable`. A snapshot that
    is held for long may keep its store from tidying up.
    """

    async def damage(self) -> Sequence[str]:
        """Say what the store itself finds broken in how it is kept; nothing where all is whole."""
        ...

    async def size(self) -> int:
        """Return how many events there are."""
        ...

    def events(self) -> AsyncIterator[KeptEvent]:
        """Yield every event, by stream and version."""
        ...

    def rows(self, rows: type[R]) -> AsyncIterator[KeptRow[R]]:
        """Yield every row of one read model, by key."""
        ...

    def holders(self) -> AsyncIterator[Held]:
        """Yield who holds what, by holder and subject."""
        ...

    async def flaws(self) -> Sequence[Flaw]:
        """Return what of the database is not as the code makes it; nothing where it has no tables."""
        ...

    async def setting(self, name: str) -> str | None:
        """Return a small value."""
        ...

    def placed(self) -> AsyncIterator[Placed]:
        """Return the place of every event, by position."""
        ...

    def uses(self) -> AsyncIterator[KeptUse]:
        """Return every use, by subject and number."""
        ...

    def due(self) -> AsyncIterator[KeptDue]:
        """Return every due row, by stream, kind and number."""
        ...

    def seals(self) -> AsyncIterator[str]:
        """Return the names of all seal keys, in order."""
        ...

    def answers(self) -> AsyncIterator[KeptAnswer]:
        """Return every Idempotency-Key, by scope."""
        ...

    def positions(self) -> AsyncIterator[KeptPosition]:
        """Return every number that a `Checkpoint` moved, by name."""
        ...

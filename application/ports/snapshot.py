"""The port for looking through a whole store at one moment: what an audit compares."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from attrs import field, frozen

from ...domain.event import Event

if TYPE_CHECKING:
    from ..read_models.rows import Row

R = TypeVar("R", bound="Row")


@frozen(kw_only=True)
class KeptEvent:
    """An event as the log keeps it; `event` is None where this release cannot read it."""

    position: int
    stream: str
    version: int
    topic: str
    event: Event | None


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
        """Give how many events there are."""
        ...

    def events(self) -> AsyncIterator[KeptEvent]:
        """Give every event, by stream and version."""
        ...

    def rows(self, rows: type[R]) -> AsyncIterator[KeptRow[R]]:
        """Give every row of one read model, by key."""
        ...

    def holders(self) -> AsyncIterator[Held]:
        """Give who holds what, by holder and subject."""
        ...

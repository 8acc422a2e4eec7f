"""Read the store for use cases; a store that is out of reach is a 503, reported to the observers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from datetime import datetime
from itertools import count
from typing import Any, TypeVar

import attrs

from ..domain import destination
from .errors import UnavailableError
from .paging import MAX_PAGE_SIZE, Listed, Paging
from .ports.event_store import (
    Due,
    DueKind,
    EventStore,
    Outline,
    PersonRecord,
    Recorded,
    StoreUnavailable,
)
from .ports.listings import Filter, Query, Sum, Totals
from .ports.prunable_log import PrunableLog
from .ports.sealed_log import SealedLog
from .ports.sealer import SealKey
from .ports.snapshot import Snapshot
from .ports.store_observer import StoreObserver
from .reachable_log import ReachableLog
from .reachable_pruning import ReachablePruning
from .records.read_model import Row
from .remembered_people import RememberedPeople

T = TypeVar("T")
R = TypeVar("R", bound=Row)


class StoreAccess:
    """Reads the store without a decider; raises `UnavailableError` when the store is out of reach."""

    def __init__(self, store: EventStore, observers: Sequence[StoreObserver] = ()) -> None:
        self._store = store
        self._observers = observers
        self.remembered = RememberedPeople()

    @property
    def sealed_log(self) -> SealedLog:
        """The sealed log; it raises `UnavailableError` when the store is out of reach."""
        return ReachableLog(self._store.sealed_log, self._in_reach)

    @property
    def prunable_log(self) -> PrunableLog:
        """The log as retention sees it; it raises `UnavailableError` when the store is out of reach."""
        return ReachablePruning(self._store.prunable_log, self._in_reach)

    async def holder(self, subject: str) -> str | None:
        """Return the holder of a subject, if it has one."""
        holders = await self._in_reach(self._store.holders(subject))
        if not holders:
            return None
        (holder,) = holders
        return holder

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """Return due rows of a kind, the earliest first."""
        return await self._in_reach(self._store.due(kind, until, limit))

    async def next_due(self, kind: DueKind) -> datetime | None:
        """Return the time of the earliest due row of a kind, if there is one."""
        return await self._in_reach(self._store.next_due(kind))

    def watching_due(
        self, kind: DueKind, due_added: Callable[[datetime], None]
    ) -> AbstractContextManager[None]:
        """Call `due_added` with the time of each due row that is written while the block runs."""
        return self._store.watching_due(kind, due_added)

    def watching_log(self, grown: Callable[[], None]) -> AbstractContextManager[None]:
        """Call `grown` after appends of other processes while the block runs."""
        return self._store.watching_log(grown)

    async def position(self, name: str) -> int:
        """Return the number that a `Checkpoint` moves."""
        return await self._in_reach(self._store.position(name))

    async def seal_key(self, name: str) -> SealKey | None:
        """Return a seal key."""
        return await self._in_reach(self._store.seal_key(name))

    async def keys_under(self, version: int, limit: int, after: str) -> Sequence[SealKey]:
        """Return keys that a version of the code key wraps, with names behind `after`."""
        return await self._in_reach(self._store.keys_under(version, limit, after))

    async def rewrap(self, keys: Sequence[tuple[SealKey, SealKey]]) -> int:
        """Replace keys by the same keys wrapped anew, unless they changed; return how many changed."""
        return await self._in_reach(self._store.rewrap(keys))

    async def seals_under(self, version: int) -> bool:
        """Return whether a version of the code key wraps any key."""
        return await self._in_reach(self._store.seals_under(version))

    async def newest(self) -> int:
        """Return the position of the newest event; 0 without events."""
        return await self._in_reach(self._store.newest())

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Return the events after a position, in commit order."""
        return await self._in_reach(self._store.read_log(after, limit))

    async def read_stream(self, stream: str) -> Sequence[Recorded]:
        """Return all events of one stream, in order."""
        return await self._in_reach(self._store.read_stream(stream))

    async def read_outlines(
        self, after: int, limit: int, kinds: Collection[str]
    ) -> Sequence[Outline]:
        """Return the open lines of the events after a position, in commit order."""
        return await self._in_reach(self._store.read_outlines(after, limit, kinds))

    async def outlines_of(
        self, streams: Collection[str], until: int, kinds: Collection[str]
    ) -> Mapping[str, Sequence[Outline]]:
        """Return the open lines of the events of some streams up to a position, by stream."""
        return await self._in_reach(self._store.outlines_of(streams, until, kinds))

    async def totals(self, position: str, sums: Sequence[Sum[Any]], most: int) -> Totals:
        """Return sums over rows, and the number that a checkpoint of this name moves, of one moment."""
        return await self._in_reach(self._store.totals(position, sums, most))

    async def first_actors(self, streams: Collection[str]) -> Mapping[str, str]:
        """Return the actor of each stream's first event."""
        return await self._in_reach(self._store.first_actors(streams))

    def snapshot(self) -> AbstractAsyncContextManager[Snapshot]:
        """Open a snapshot of the store; raises `StoreUnavailable`, whose text auditors need."""
        return self._store.snapshot()

    async def people(self, hmacs: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these HMACs, by HMAC, and remember them."""
        if not hmacs:
            return {}
        found = await self._in_reach(self._store.people(hmacs))
        self.remembered.learn(found.values())
        return found

    async def look_up(self, hmac: str) -> None:
        """Remember the person with this HMAC, if the store has one."""
        found = await self._in_reach(self._store.person(hmac))
        if found is not None:
            self.remembered.learn((found,))

    async def people_named(self, person_ids: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return the people with these ids who were not erased."""
        return await self._in_reach(self._store.people_named(person_ids)) if person_ids else {}

    async def versions(self, streams: Collection[str]) -> Mapping[str, int]:
        """Return the number of events of each stream."""
        return await self._in_reach(self._store.versions(streams))

    async def erase_rows(self, person_id: str) -> int:
        """Erase some of what the lists still store of a person; return how many rows, 0 at the end."""
        return await self._in_reach(self._store.erase_rows(person_id))

    async def scrub(self) -> bool:
        """Remove what was deleted from the store's files; return False while a reader prevents it."""
        return await self._in_reach(self._store.scrub())

    def forget_person(self, person_id: str) -> None:
        """Forget everything of a person that this process keeps in memory."""
        self.remembered.forget(person_id)
        destination.forget()
        self._store.forget_person(person_id)

    async def forget_answers(self, before: datetime) -> int:
        """Drop some saved answers whose keys were claimed before a time; return how many."""
        return await self._in_reach(self._store.forget_answers(before))

    async def forget_answers_about(self, person_id: str) -> int:
        """Drop saved answers to calls about one person; return how many, 0 when none is left."""
        return await self._in_reach(self._store.forget_answers_about(person_id))

    async def forget_rows(self, rows: type[Row], column: str, before: datetime) -> int:
        """Drop some rows whose `column` is before a time; return how many."""
        return await self._in_reach(self._store.forget_rows(rows, column, before))

    async def forget_uses(self, prefix: str, before: datetime) -> int:
        """Drop some uses of subjects with a prefix, last used before a time."""
        return await self._in_reach(self._store.forget_uses(prefix, before))

    async def forget_tallies(self, before: datetime) -> int:
        """Drop some tallies that no window reaches any more at a time."""
        return await self._in_reach(self._store.forget_tallies(before))

    async def row(self, rows: type[R], key: str) -> R | None:
        """Return one row of a read model."""
        return await self._in_reach(self._store.row(rows, key))

    async def rows(self, rows: type[R], keys: Collection[str]) -> Mapping[str, R]:
        """Return the rows with these keys, by key; keys without a row are left out."""
        return await self._in_reach(self._store.rows(rows, keys)) if keys else {}

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Return the rows of one page of a list, without their total number."""
        return await self._in_reach(self._store.slice(query))

    async def every(self, rows: type[R], *where: Filter) -> AsyncIterator[R]:
        """Yield the rows of a list, the oldest first; one that leaves it meanwhile may hide another."""
        for page in count(1):
            size = MAX_PAGE_SIZE
            query = Query(rows=rows, where=where, descending=False, page=page, page_size=size)
            found = await self.slice(query)
            for row in found:
                yield row
            if len(found) < size:
                return

    async def listed(self, query: Query[R], paging: Paging) -> Listed[R]:
        """Return one page of a list."""
        asked = attrs.evolve(query, page=paging.page, page_size=paging.page_size)
        page = await self._in_reach(self._store.page(asked))
        return Listed(
            page=paging.page, page_size=paging.page_size, total=page.total, data=page.rows
        )

    async def probe(self) -> None:
        """Check that the store accepts writes, not only reads."""
        await self._in_reach(self._store.probe())
        for observer in self._observers:
            observer.available()

    async def _in_reach(self, asking: Awaitable[T]) -> T:
        """Wait for the store; raise `UnavailableError` when it is out of reach."""
        try:
            return await asking
        except StoreUnavailable as failure:
            raise self._out_of_reach(failure) from None

    def _out_of_reach(self, failure: StoreUnavailable) -> UnavailableError:
        for observer in self._observers:
            observer.unavailable(failure)
        return UnavailableError()

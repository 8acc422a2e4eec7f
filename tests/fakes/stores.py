"""An event store in trouble: it loses races, and goes out of reach, when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Mapping,
    Sequence,
)
from contextlib import AbstractContextManager, asynccontextmanager
from datetime import datetime
from typing import Any, TypeVar

from watchword.application.ports.event_store import (
    Append,
    Due,
    DueKind,
    EventStore,
    Loaded,
    Outline,
    PersonRecord,
    Recorded,
    Reservation,
    StoreUnavailable,
    StreamConflict,
)
from watchword.application.ports.listings import Page, Query, Sum, Totals
from watchword.application.ports.prunable_log import PrunableLog
from watchword.application.ports.sealed_log import SealedLog
from watchword.application.ports.sealer import SealKey
from watchword.application.ports.snapshot import Snapshot
from watchword.application.records.read_model import Row
from watchword.domain.decider import Decider

S = TypeVar("S")
R = TypeVar("R", bound=Row)


class TroubledStore:
    """
    Does what the store inside does, until there is trouble.

    `races` many appends lose; `reachable` says whether anything works; `meanwhile` happens once,
    between a load and the append that was decided on it. `asked_for_holders` says how often it was,
    `loaded` of which kinds states were read, `appended` how many appends held, and `sliced` how many
    pages of lists were read.
    """

    def __init__(self, inside: EventStore) -> None:
        self._inside = inside
        self.races = 0
        self.reachable = True
        self.asked_for_holders = 0
        self.loaded: list[str] = []
        self.appended = 0
        self.sliced = 0
        self.meanwhile: Callable[[], Awaitable[object]] | None = None

    @property
    def sealed_log(self) -> SealedLog:
        """The sealed log of the store inside, if it can be reached now."""
        self._reach()
        return self._inside.sealed_log

    @property
    def prunable_log(self) -> PrunableLog:
        """The log inside as retention sees it, if it can be reached now."""
        self._reach()
        return self._inside.prunable_log

    async def append(self, append: Append) -> Sequence[int]:
        """Append, unless a race is lost."""
        self._reach()
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        if self.races and append.changes:
            self.races -= 1
            raise StreamConflict(append.changes[0].stream)
        positions = await self._inside.append(append)
        self.appended += 1
        return positions

    async def probe(self) -> None:
        """Probe."""
        self._reach()
        await self._inside.probe()

    async def newest(self) -> int:
        """Count."""
        self._reach()
        return await self._inside.newest()

    async def load(self, decider: Decider[S], stream: str) -> Loaded[S] | None:
        """Load."""
        self._reach()
        self.loaded.append(decider.kind)
        return await self._inside.load(decider, stream)

    def recall(self, stream: str) -> Loaded[Any] | None:
        """Recall."""
        return self._inside.recall(stream)

    async def check_key(self, reservation: Reservation, now: datetime) -> None:
        """Check a key."""
        self._reach()
        await self._inside.check_key(reservation, now)

    async def holders(self, subject: str) -> frozenset[str]:
        """Return holders, a moment later."""
        self._reach()
        self.asked_for_holders += 1
        await asyncio.sleep(0)
        return await self._inside.holders(subject)

    async def due(self, kind: DueKind, until: datetime, limit: int) -> Sequence[Due]:
        """Return what is due."""
        self._reach()
        return await self._inside.due(kind, until, limit)

    async def next_due(self, kind: DueKind) -> datetime | None:
        """Return the time of what is due next."""
        self._reach()
        return await self._inside.next_due(kind)

    def watching_due(
        self, kind: DueKind, due_added: Callable[[datetime], None]
    ) -> AbstractContextManager[None]:
        """Tell of due rows."""
        return self._inside.watching_due(kind, due_added)

    def watching_log(self, grown: Callable[[], None]) -> AbstractContextManager[None]:
        """Tell of other processes' appends."""
        return self._inside.watching_log(grown)

    async def position(self, name: str) -> int:
        """Return a position."""
        self._reach()
        return await self._inside.position(name)

    async def seal_key(self, name: str) -> SealKey | None:
        """Return a seal key."""
        self._reach()
        return await self._inside.seal_key(name)

    async def people(self, hmacs: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return people by HMAC."""
        self._reach()
        return await self._inside.people(hmacs)

    async def person(self, hmac: str) -> PersonRecord | None:
        """Return the person with this HMAC."""
        self._reach()
        return await self._inside.person(hmac)

    async def people_named(self, person_ids: Collection[str]) -> Mapping[str, PersonRecord]:
        """Return people by id."""
        self._reach()
        return await self._inside.people_named(person_ids)

    async def erase_rows(self, person_id: str) -> int:
        """Erase what rows and holders store of a person."""
        self._reach()
        return await self._inside.erase_rows(person_id)

    async def scrub(self) -> bool:
        """Scrub."""
        self._reach()
        return await self._inside.scrub()

    async def keep_key(self, key: SealKey) -> SealKey:
        """Store a key."""
        self._reach()
        return await self._inside.keep_key(key)

    async def keys_under(self, version: int, limit: int, after: str = "") -> Sequence[SealKey]:
        """Return keys."""
        self._reach()
        return await self._inside.keys_under(version, limit, after)

    async def rewrap(self, keys: Sequence[tuple[SealKey, SealKey]]) -> int:
        """Rewrap keys."""
        self._reach()
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        return await self._inside.rewrap(keys)

    async def seals_under(self, version: int) -> bool:
        """Look for a seal key."""
        self._reach()
        return await self._inside.seals_under(version)

    async def read_log(self, after: int, limit: int) -> Sequence[Recorded]:
        """Read the log."""
        self._reach()
        return await self._inside.read_log(after, limit)

    async def read_stream(self, stream: str) -> Sequence[Recorded]:
        """Read a stream."""
        self._reach()
        return await self._inside.read_stream(stream)

    async def read_outlines(
        self, after: int, limit: int, kinds: Collection[str]
    ) -> Sequence[Outline]:
        """Read open lines."""
        self._reach()
        return await self._inside.read_outlines(after, limit, kinds)

    async def outlines_of(
        self, streams: Collection[str], until: int, kinds: Collection[str]
    ) -> Mapping[str, Sequence[Outline]]:
        """Read open lines of streams."""
        self._reach()
        return await self._inside.outlines_of(streams, until, kinds)

    async def totals(self, position: str, sums: Sequence[Sum[Any]], most: int) -> Totals:
        """Return sums."""
        self._reach()
        return await self._inside.totals(position, sums, most)

    async def first_actors(self, streams: Collection[str]) -> Mapping[str, str]:
        """Return the actors of streams' first events."""
        self._reach()
        return await self._inside.first_actors(streams)

    async def versions(self, streams: Collection[str]) -> Mapping[str, int]:
        """Return the lengths of streams."""
        self._reach()
        return await self._inside.versions(streams)

    def forget_person(self, person_id: str) -> None:
        """Forget a person."""
        self._inside.forget_person(person_id)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        """Hold a snapshot."""
        self._reach()
        async with self._inside.snapshot() as snapshot:
            yield snapshot

    async def forget_answers(self, before: datetime) -> int:
        """Forget answers."""
        self._reach()
        return await self._inside.forget_answers(before)

    async def forget_answers_about(self, person_id: str) -> int:
        """Drop answers about a person, or fail."""
        self._reach()
        return await self._inside.forget_answers_about(person_id)

    async def forget_uses(self, prefix: str, before: datetime) -> int:
        """Forget uses."""
        self._reach()
        return await self._inside.forget_uses(prefix, before)

    async def forget_tallies(self, before: datetime) -> int:
        """Forget tallies."""
        self._reach()
        return await self._inside.forget_tallies(before)

    async def forget_rows(self, rows: type[Row], column: str, before: datetime) -> int:
        """Forget rows."""
        self._reach()
        return await self._inside.forget_rows(rows, column, before)

    async def setting(self, name: str) -> str | None:
        """Return a setting."""
        self._reach()
        return await self._inside.setting(name)

    async def keep_setting(self, name: str, value: str, *, only_new: bool = False) -> str:
        """Keep a setting."""
        self._reach()
        return await self._inside.keep_setting(name, value, only_new=only_new)

    async def page(self, query: Query[R]) -> Page[R]:
        """Return a page."""
        self._reach()
        return await self._inside.page(query)

    async def slice(self, query: Query[R]) -> Sequence[R]:
        """Return a page, uncounted."""
        self.sliced += 1
        self._reach()
        return await self._inside.slice(query)

    async def row(self, rows: type[R], key: str) -> R | None:
        """Return a row."""
        self._reach()
        return await self._inside.row(rows, key)

    async def rows(self, rows: type[R], keys: Collection[str]) -> Mapping[str, R]:
        """Return rows."""
        self._reach()
        return await self._inside.rows(rows, keys)

    def _reach(self) -> None:
        if not self.reachable:
            raise StoreUnavailable("The store is out of reach.")

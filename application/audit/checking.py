"""The check: everything replayed from the log, beside what the store keeps of it (C-38)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Generic, TypeVar

from attrs import define, frozen

from ..journal import Journal
from ..ports.snapshot import Held, KeptRow, Snapshot
from ..read_models.holdings import held_by
from ..read_models.project import row_of
from ..read_models.rows import ROWS
from .differences import Difference, Replaying, holder_difference, row_differences

T = TypeVar("T")

MAX_DIFFERENCES = 20


@frozen(kw_only=True)
class Checked:
    """How much was replayed; the first differences, and how many there are in all."""

    events: int
    streams: int
    differences: tuple[Difference, ...]
    total: int


class Checking:
    """Compares; writes nothing."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def check(self, told: Callable[[int, int], None] | None = None) -> Checked:
        """
        Replay every stream and compare it with its row and with what it holds.

        Everything is looked at as of one moment, a stream at a time. A stream that cannot be
        replayed whole is itself the difference, and is compared no further; so is a store that
        finds itself damaged (D-28). `told` hears of every event: its number, and how many there are.
        """
        kept: list[Difference] = []
        total = 0
        async with self._journal.snapshot() as snapshot:
            walk = _Walk(snapshot, told)
            async for difference in walk.differences():
                total += 1
                if len(kept) < MAX_DIFFERENCES:
                    kept.append(difference)
        return Checked(
            events=walk.events, streams=walk.streams, differences=tuple(kept), total=total
        )


class _Walk:
    """One walk through a snapshot: streams, rows and holders side by side, each in its order."""

    def __init__(self, snapshot: Snapshot, told: Callable[[int, int], None] | None) -> None:
        self._snapshot = snapshot
        self._told = told
        self._rows = {kind: _Ahead(snapshot.rows(kind), _key) for kind in ROWS}
        self._holders = _Ahead(snapshot.holders(), _holder)
        self.events = 0
        self.streams = 0

    async def differences(self) -> AsyncIterator[Difference]:
        damage = await self._snapshot.damage()
        for line in damage:
            yield Difference(what="Store", id="", expected="a whole store", found=line)
        if damage:
            return
        size = await self._snapshot.size()
        replay: Replaying | None = None
        async for kept in self._snapshot.events():
            if replay is None or replay.stream != kept.stream:
                if replay is not None:
                    async for each in self._compared(replay):
                        yield each
                replay = Replaying(kept.stream)
                self.streams += 1
            for each in replay.take(kept):
                yield each
            self.events += 1
            if self._told is not None:
                self._told(self.events, size)
        if replay is not None:
            async for each in self._compared(replay):
                yield each
        async for each in self._left_over():
            yield each

    async def _compared(self, replay: Replaying) -> AsyncIterator[Difference]:
        stream = replay.stream
        row = None if replay.broken else row_of(stream, replay.state)
        for kind, rows in self._rows.items():
            async for stray in rows.before(stream):
                for each in row_differences(kind, stray.key, None, [stray]):
                    yield each
            found = await rows.under(stream)
            if not replay.broken:
                expected = row if type(row) is kind else None
                for each in row_differences(kind, stream, expected, found):
                    yield each
        async for held in self._holders.before(stream):
            yield holder_difference(held.holder, held.subject, held=True)
        subjects = {held.subject for held in await self._holders.under(stream)}
        if not replay.broken:
            for subject in sorted(subjects ^ held_by(replay.state)):
                yield holder_difference(stream, subject, held=subject in subjects)

    async def _left_over(self) -> AsyncIterator[Difference]:
        """Give the rows and holders that no stream tells of, behind the last."""
        for kind, rows in self._rows.items():
            async for stray in rows.before(None):
                for each in row_differences(kind, stray.key, None, [stray]):
                    yield each
        async for held in self._holders.before(None):
            yield holder_difference(held.holder, held.subject, held=True)


@define
class _Ahead(Generic[T]):
    """What is kept in the order of its keys, met key by key."""

    _source: AsyncIterator[T]
    _key: Callable[[T], str]
    _next: T | None = None

    async def before(self, key: str | None) -> AsyncIterator[T]:
        """Give what stands before a key, or all that is left."""
        while (item := await self._peek()) is not None and (key is None or self._key(item) < key):
            self._next = None
            yield item

    async def under(self, key: str) -> list[T]:
        """Give what stands under a key, when all before it has been met."""
        found = []
        while (item := await self._peek()) is not None and self._key(item) == key:
            self._next = None
            found.append(item)
        return found

    async def _peek(self) -> T | None:
        if self._next is None:
            self._next = await anext(self._source, None)
        return self._next


def _key(row: KeptRow[Any]) -> str:
    return row.key


def _holder(held: Held) -> str:
    return held.holder

"""The check: everything decided again from the log, beside what the store keeps of it (C-38, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta

from attrs import frozen

from ...domain.accounts.account import account_name
from ..due_work import AFTER_A_FAILURE
from ..journal import Journal
from ..ports.clock import CLOCK_OFFSET
from ..ports.log_mark import LogMark
from ..ports.media_files import MediaFiles
from ..ports.snapshot import Snapshot
from .answers import Answers, ReadAnswer
from .deliveries import delivery_differences
from .differences import Difference, Kind
from .hosted_files import HostedFiles
from .log_order import LogOrder
from .marks import mark_differences
from .media_totals import MediaTotals
from .sorting import Sorting
from .uses import use_differences
from .walking_streams import WalkingStreams

# Clocks of nodes differ, a machine's is set right, and what was decided waits 5 s to be written (D-159).
CLOCK_STEP = timedelta(minutes=1)


def _machine_time() -> datetime:
    return datetime.now(UTC)


@frozen(kw_only=True)
class Checked:
    """
    How much was replayed; the first differences, and how many there are in all.

    `files` says whether hosted files were looked at.
    """

    events: int
    streams: int
    differences: tuple[Difference, ...]
    total: int
    files: bool


@frozen(kw_only=True)
class AuditInputs:
    """
    What an audit reads in addition to the store.

    These are hosted files, the high-water mark, a reader of saved answers, the time, and the account
    name by which a sandbox's store is known. Only a sandbox's clock can be moved on.
    """

    files: MediaFiles | None = None
    mark: LogMark | None = None
    read_answer: ReadAnswer | None = None
    now: Callable[[], datetime] = _machine_time
    sandbox_account: str | None = None


STORE_ALONE = AuditInputs()

_UNREADABLE = Difference(
    kind=Kind.SCHEMA, what="Store", id="", expected="tables that can be read", found="others"
)


class Checking:
    """Compares; writes nothing."""

    def __init__(self, journal: Journal, inputs: AuditInputs = STORE_ALONE) -> None:
        self._journal = journal
        self._inputs = inputs

    async def check(
        self, progress: Callable[[int, int], None] | None = None, limit: int | None = None
    ) -> Checked:
        """
        Decide every stream again and compare it with all that is kept of it.

        Everything is looked at as of one moment, a stream at a time. A stream that cannot be
        replayed whole is itself the difference, and is compared no further; so is a store that
        finds itself damaged (D-28). `progress` is called twice for every event, with the steps done
        and the number of all steps. At most `limit` differences are kept; all are counted.
        """
        kept: list[Difference] = []
        total = 0
        files = self._inputs.files
        # Before the snapshot: the log has every file that is confirmed by now.
        names = await files.confirmed() if files is not None else ()
        hosted = None if files is None else HostedFiles(self._journal, files)
        async with self._journal.snapshot() as snapshot:
            walk = _Walk(snapshot, self._inputs, hosted, names, progress, self._has_movable_clock)
            async for difference in walk.differences():
                total += 1
                if limit is None or len(kept) < limit:
                    kept.append(difference)
        return Checked(
            events=walk.events,
            streams=walk.streams,
            differences=tuple(kept),
            total=total,
            files=files is not None,
        )

    async def _has_movable_clock(self) -> bool:
        name = self._inputs.sandbox_account
        return name is None or await self._journal.holder(account_name(name)) is not None


class _Walk:
    """One look through a snapshot: the database itself, its streams, its log, and what is beside."""

    def __init__(
        self,
        snapshot: Snapshot,
        inputs: AuditInputs,
        files: HostedFiles | None,
        names: Sequence[str],
        progress: Callable[[int, int], None] | None,
        has_movable_clock: Callable[[], Awaitable[bool]],
    ) -> None:
        self._has_movable_clock = has_movable_clock
        self._snapshot = snapshot
        self._inputs = inputs
        self._files = files
        self._names = names
        self._progress = progress
        self._steps = 0
        self._all = 0
        self.events = 0
        self.streams = 0

    async def differences(self) -> AsyncIterator[Difference]:
        """Return all that is not as it should be."""
        damage = await self._snapshot.damage()
        for line in damage:
            yield Difference(
                kind=Kind.DAMAGE, what="Store", id="", expected="a whole store", found=line
            )
        if damage:
            return
        flaws = await self._snapshot.flaws()
        for flaw in flaws:
            yield Difference(
                kind=Kind.SCHEMA,
                what=flaw.what,
                id=flaw.name,
                field=flaw.field,
                expected=flaw.expected,
                found=flaw.found,
            )
        if any(flaw.runs for flaw in flaws):
            yield _UNREADABLE
            return
        size = await self._snapshot.size()
        self._all = 2 * size
        async for each in mark_differences(self._inputs.mark, size):
            yield each
        try:
            async for each in self._compared():
                yield each
        except Exception:
            # What lacks a table or a column, or has other values in one, may not be read to its end.
            if not any(flaw.what in ("Table", "Column") for flaw in flaws):
                raise
            yield _UNREADABLE

    async def _compared(self) -> AsyncIterator[Difference]:
        # A sandbox's clock may have been moved on between any two events (D-159).
        kept = await self._snapshot.setting(CLOCK_OFFSET)
        offset = _offset(kept, now := self._inputs.now())
        movable = await self._has_movable_clock()
        if offset is None or (offset and not movable):
            yield Difference(
                kind=Kind.SCHEMA,
                what="Setting",
                id=CLOCK_OFFSET,
                expected="seconds of a sandbox's clock" if movable else "none",
                found=str(kept),
            )
            offset = timedelta(0)
        step = CLOCK_STEP + offset
        latest = now + offset + CLOCK_STEP + AFTER_A_FAILURE
        answers = Answers(self._inputs.read_answer)
        order = LogOrder(self._snapshot, answers, step, self._advance)
        with (
            closing(answers),
            closing(order),
            closing(Sorting()) as uses,
            closing(MediaTotals()) as totals,
        ):
            async for each in answers.differences(self._snapshot):
                yield each
            streams = WalkingStreams(
                self._snapshot,
                answers,
                self._files,
                self._names,
                uses,
                totals,
                step,
                latest,
                self._advance,
            )
            async for each in streams.differences():
                yield each
            self.events, self.streams = streams.events, streams.streams
            async for each in order.differences():
                yield each
            for repeated in order.repeated():
                yield repeated
            async for each in use_differences(self._snapshot, uses):
                yield each
            async for each in totals.differences(self._snapshot):
                yield each
            async for each in delivery_differences(self._snapshot, order.ids, order.last, latest):
                yield each

    def _advance(self) -> None:
        self._steps += 1
        if self._progress is not None:
            self._progress(self._steps, self._all)


def _offset(kept: str | None, now: datetime) -> timedelta | None:
    """Return how far a sandbox's clock was moved on; None for what no clock can be."""
    try:
        offset = timedelta(seconds=float(kept or 0))
        # A year more than is ever added to it.
        now + offset + timedelta(days=366)
    except (ValueError, OverflowError):
        return None
    return offset if offset >= timedelta(0) else None

"""The check: repeat every decision of the log, and compare the results with the store (C-38, C-91)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta

from attrs import frozen

from ...domain.accounts.account import account_name
from ..due_work import AFTER_A_FAILURE
from ..journal import Journal
from ..ports.clock import CLOCK_OFFSET
from ..ports.log_mark import LogMark
from ..ports.media_files import MediaFiles
from ..ports.person_keys import PersonKeys
from ..ports.sealer import CODE_KEY_LOST
from ..ports.snapshot import Snapshot
from ..records.test_destination import TestDestinationRow
from ..test_destinations.views import TestDestinationView
from .answers import Answers, ReadAnswer
from .code_keys import code_key_differences
from .counted.statistics_rows import StatisticsRows
from .counted.tallies import CountedTallies
from .deliveries import delivery_differences
from .differences import Difference, Kind
from .hosted_files import HostedFiles
from .log_order import LogOrder
from .marks import mark_differences
from .media_totals import MediaTotals
from .named_people import NamedPeople
from .pruned_positions import PrunedPositions
from .sealed_owners import SealedOwners
from .sorting import Sorting
from .uses import use_differences
from .walking_streams import WalkingStreams

# Clocks of nodes differ, machines correct their clocks, and a decision may wait 5 s to be written (D-159).
CLOCK_STEP = timedelta(minutes=1)


def _machine_time() -> datetime:
    return datetime.now(UTC)


@frozen(kw_only=True)
class Checked:
    """
    The number of replayed events and streams, the first differences, and the number of all differences.

    `files` says whether hosted files were checked, and `sealed` whether what is sealed was opened. `lost`
    are the versions of its code key that the store says it lost (D-314). `test_destinations` are those that
    live: they are no differences, but whoever knows their codes gets in (C-79).
    """

    events: int
    streams: int
    differences: tuple[Difference, ...]
    total: int
    files: bool
    sealed: bool
    lost: str | None
    test_destinations: tuple[TestDestinationView, ...] = ()


@frozen(kw_only=True)
class AuditInputs:
    """
    The inputs of an audit beside the store.

    These are hosted files, the high-water mark, a reader of saved answers, the keys that find people
    (None without a code key), the check values of the code key, the time, and the name of the account
    that marks a sandbox's store. Only a sandbox's clock can be moved.
    """

    files: MediaFiles | None = None
    mark: LogMark | None = None
    read_answer: ReadAnswer | None = None
    person_keys: PersonKeys | None = None
    check_values: Mapping[int, str] | None = None
    now: Callable[[], datetime] = _machine_time
    sandbox_account: str | None = None


STORE_ALONE = AuditInputs()

_UNREADABLE = Difference(
    kind=Kind.SCHEMA, what="Store", id="", expected="tables that can be read", found="others"
)


class Checking:
    """Compares the log with the kept data; writes nothing."""

    def __init__(self, journal: Journal, inputs: AuditInputs = STORE_ALONE) -> None:
        self._journal = journal
        self._inputs = inputs

    async def check(
        self, progress: Callable[[int, int], None] | None = None, limit: int | None = None
    ) -> Checked:
        """
        Repeat the decisions of every stream, and compare the results with all data kept for it.

        The check reads one snapshot, a stream at a time. A stream that cannot be replayed is itself
        a difference, and no data is compared with it. The same holds for a damaged store (D-28).
        `progress` is called twice for every event, with the number of steps done and of all steps.
        At most `limit` differences are returned; all are counted.
        """
        kept: list[Difference] = []
        total = 0
        files = self._inputs.files
        # Listed before the snapshot, so that the log has every file in the list.
        names = await files.confirmed() if files is not None else ()
        hosted = None if files is None else HostedFiles(self._journal, files)
        async with self._journal.snapshot() as snapshot:
            walk = _Walk(
                snapshot,
                self._journal,
                self._inputs,
                hosted,
                names,
                progress,
                self._has_movable_clock,
            )
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
            sealed=self._inputs.check_values is not None,
            lost=walk.lost,
            test_destinations=tuple(walk.test_destinations),
        )

    async def _has_movable_clock(self) -> bool:
        name = self._inputs.sandbox_account
        return name is None or await self._journal.holder(account_name(name)) is not None


class _Walk:
    """One pass through a snapshot: the database itself, its streams, its log, and the data kept beside."""

    def __init__(
        self,
        snapshot: Snapshot,
        journal: Journal,
        inputs: AuditInputs,
        files: HostedFiles | None,
        names: Sequence[str],
        progress: Callable[[int, int], None] | None,
        has_movable_clock: Callable[[], Awaitable[bool]],
    ) -> None:
        self._has_movable_clock = has_movable_clock
        self._snapshot = snapshot
        self._journal = journal
        self._inputs = inputs
        self._files = files
        self._names = names
        self._progress = progress
        self._steps = 0
        self._all = 0
        self.events = 0
        self.streams = 0
        self.lost: str | None = None
        self.test_destinations: list[TestDestinationView] = []

    async def differences(self) -> AsyncIterator[Difference]:
        """Yield all differences."""
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
        try:
            pruned = await PrunedPositions.read(self._snapshot)
            async for each in mark_differences(self._inputs.mark, size + pruned.dropped.size):
                yield each
            async for each in self._compared(pruned):
                yield each
        except Exception:
            # A store with missing tables or columns, or with other types, may fail while it is read.
            if not any(flaw.what in ("Table", "Column") for flaw in flaws):
                raise
            yield _UNREADABLE

    async def _compared(self, pruned: PrunedPositions) -> AsyncIterator[Difference]:
        self.lost = await self._snapshot.setting(CODE_KEY_LOST)
        async for each in code_key_differences(self._snapshot, self._inputs.check_values):
            yield each
        # A sandbox's clock may have been moved between any two events (D-159).
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
        order = LogOrder(self._snapshot, answers, step, self._advance, pruned)
        with (
            closing(answers),
            closing(order),
            closing(Sorting()) as uses,
            closing(MediaTotals()) as totals,
            closing(NamedPeople(self._inputs.person_keys, pruned)) as people,
            closing(SealedOwners()) as owners,
            closing(CountedTallies(self._inputs.person_keys, now + offset)) as tallies,
        ):
            async for each in answers.differences(self._snapshot):
                yield each
            streams = WalkingStreams(
                self._snapshot,
                answers=answers,
                files=self._files,
                names=self._names,
                uses=uses,
                totals=totals,
                people=people,
                owners=owners,
                tallies=tallies,
                step=step,
                latest=latest,
                keys=self._inputs.person_keys,
                lost=self.lost is not None,
                advance=self._advance,
                pruned=pruned,
            )
            async for each in streams.differences():
                yield each
            self.events, self.streams = streams.events, streams.streams
            async for each in order.differences():
                yield each
            for repeated in order.repeated():
                yield repeated
            async for each in use_differences(self._snapshot, uses, streams.uses.forgets):
                yield each
            async for each in totals.differences(self._snapshot):
                yield each
            async for each in delivery_differences(
                self._snapshot, order.ids, order.last, latest, people
            ):
                yield each
            for part in (owners, tallies, people):
                async for each in part.differences(self._snapshot):
                    yield each
            rows = StatisticsRows(self._snapshot, self._journal, now + offset)
            async for each in rows.differences():
                yield each
        async for kept_row in self._snapshot.rows(TestDestinationRow):
            test = kept_row.row
            if test is not None and test.removed_at is None and test.until > now + offset:
                self.test_destinations.append(TestDestinationView.of(test))

    def _advance(self) -> None:
        self._steps += 1
        if self._progress is not None:
            self._progress(self._steps, self._all)


def _offset(kept: str | None, now: datetime) -> timedelta | None:
    """Return how far a sandbox's clock was moved forward; None for an impossible value."""
    try:
        offset = timedelta(seconds=float(kept or 0))
        # A year of room for later moves.
        now + offset + timedelta(days=366)
    except (ValueError, OverflowError):
        return None
    return offset if offset >= timedelta(0) else None

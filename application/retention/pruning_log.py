"""Takes out of the log what its account keeps no longer, a recorded step at a time (C-75, D-454)."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial

from ...domain.log_history import (
    EventsPruned,
    PrunedPart,
    drop,
    prune,
    pruning_decider,
    ranges_of,
)
from ...domain.rate_limit import Duration
from ...domain.retention import Retention, retention_decider
from ...domain.shared_content import shared_content_decider
from ..caller import THE_WORKER, WORKER, Caller
from ..due_work import BATCH, handle_due, put_off
from ..evidence.sealed_leaves import pruned_digest
from ..journal import Journal, beginning, change
from ..ports.clock import Clock
from ..ports.event_store import Change, Checkpoint, Due, DueKind, Overtaken, StreamConflict
from ..ports.listings import Below, Equals, Query
from ..ports.randomness import Randomness
from ..ports.sealed_log import RawEvent
from ..records.log_history import PRUNING, PruningRow
from ..records.retention import RetentionRow, retention_stream
from .due_numbers import CONTENT, SEALED, STREAMS
from .longest_windows import longest_window_of
from .taking_out import take_out
from .what_ended import LONGEST_RUN, Ended, ended_messages, ended_pins

# Counts prunings, so that of two nodes one records a step.
CHECKPOINT = "retention"
_LOOK_EVERY = timedelta(minutes=1)
_LATER = timedelta(days=1)
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_KIND = DueKind.RETENTION


class PruningLog:
    """
    Prunes the log in steps, which can begin again at any time.

    A step is recorded, by positions below the newest signed head, before anything goes. Its due row stays
    until all of it is gone. But for contents, no step is recorded while another is not finished.
    """

    kind = None

    def __init__(self, journal: Journal, randomness: Randomness, clock: Clock) -> None:
        self._journal = journal
        self._log = journal.prunable_log
        self._taking_out = partial(take_out, journal, clock)
        self._randomness = randomness
        self._clock = clock
        self._looked = _LONG_AGO
        # A sandbox's clock runs due work beside the worker.
        self._turn = asyncio.Lock()
        self._recorded = 0
        self._last_account = ""

    async def run_due(self) -> int:
        """Finish what is recorded, or record a step; return how many rows or streams it was about."""
        async with self._turn:
            try:
                return await self._run_due()
            except (Overtaken, StreamConflict):
                # Another node recorded a step: the next look, a moment later, finds what it left.
                return 0

    async def _run_due(self) -> int:
        now = self._clock.now()
        due = await self._journal.due(_KIND, now, BATCH)
        if due and all(each.number != CONTENT for each in due):
            return await handle_due(self._journal, self._clock, _KIND, self._taking_out)
        if not due and self._rests():
            return 0
        # Read before what a step follows from: one that another node records meanwhile refuses ours.
        self._recorded = await self._journal.position(CHECKPOINT)
        # A step that failed is put off for a while.
        waiting = await self._journal.due(_KIND, now + timedelta(hours=1), BATCH)
        contents = [each for each in waiting if each.number == CONTENT and each.at <= now]
        if contents:
            return await self._prune_contents(contents)
        if any(each.number != CONTENT for each in waiting) or self._rests():
            return 0
        return await self._record_next()

    def _rests(self) -> bool:
        since = self._clock.now() - self._looked
        return timedelta(0) <= since < _LOOK_EVERY

    async def _record_next(self) -> int:
        accounts = [row.account_id async for row in self._journal.every(RetentionRow)]
        # The account of the last step comes last: it may make PINs as fast as they go.
        behind = accounts.index(self._last_account) + 1 if self._last_account in accounts else 0
        for account_id in (*accounts[behind:], *accounts[:behind]):
            # By the log and not by the row, which anybody may have edited who can write the store (D-469).
            recorded = await self._record_of(account_id, await self._kept(account_id))
            if recorded:
                self._last_account = account_id
                return recorded
        self._looked = self._clock.now()
        return 0

    async def _kept(self, account_id: str) -> Retention:
        loaded = await self._journal.find(retention_decider, retention_stream(account_id))
        return Retention() if loaded is None else loaded.state.kept

    async def _record_of(self, account_id: str, kept: Retention) -> int:
        """Record the next step of an account; return how many streams it is about."""
        if kept.pins is None and kept.messages is None:
            return 0
        window = await longest_window_of(self._journal, account_id)
        if kept.pins is not None:
            before = self._before(kept.pins, window)
            found = await ended_pins(self._journal, account_id, before)
            if recorded := await self._record(account_id, found.streams, found.at):
                return recorded
        if kept.messages is not None:
            before = self._before(kept.messages, window)
            found = await ended_messages(self._journal, account_id, before)
            later = await self._contents(found, before)
            if recorded := await self._record(account_id, found.streams, found.at, due=later):
                return recorded
        if kept.events is not None:
            return await self._drop_next(account_id, self._before(kept.events, window))
        return 0

    def _before(self, kept: Duration, window: timedelta) -> datetime:
        # A rate may have got a longer window since the retention was set.
        return self._clock.now() - max(kept.span, window)

    async def _contents(self, found: Ended, before: datetime) -> tuple[Due, ...]:
        """Return due rows for the contents of messages; runs of other messages may still send them."""
        due = []
        for content_id in found.contents:
            loaded = await self._journal.find(shared_content_decider, content_id)
            if loaded is not None:
                kept = self._clock.now() - before
                at = loaded.state.created_at + kept + LONGEST_RUN
                due.append(Due(_KIND, content_id, CONTENT, at))
        return tuple(due)

    async def _prune_contents(self, due: Sequence[Due]) -> int:
        """Record the pruning of contents whose time is over; put the others off, and forget what is gone."""
        of: dict[str, dict[Due, datetime]] = {}
        for each in due:
            loaded = await self._journal.find(shared_content_decider, each.stream)
            if loaded is None:
                await self._journal.write(THE_WORKER, self._clock.now(), done=(each,))
            else:
                sent_until = loaded.state.created_at + LONGEST_RUN
                of.setdefault(loaded.state.account_id, {})[each] = sent_until
        for account_id, contents in of.items():
            before = await self._messages_before(account_id)
            over = tuple(each for each, until in contents.items() if before and until <= before)
            streams = [each.stream for each in over]
            if before is None or not await self._record(account_id, streams, before, done=over):
                over = ()
            for each in contents.keys() - set(over):
                await put_off(self._journal, self._clock, each, _LATER)
        return len(due)

    async def _messages_before(self, account_id: str) -> datetime | None:
        """Return the time before which messages of an account ended that are not kept any more."""
        kept = (await self._kept(account_id)).messages
        if kept is None:
            return None
        return self._before(kept, await longest_window_of(self._journal, account_id))

    async def _drop_next(self, account_id: str, before: datetime) -> int:
        """Record that the streams of an old pruning go; return how many events that are."""
        found = await self._journal.slice(
            Query(
                rows=PruningRow,
                where=(
                    Equals("account_id", account_id),
                    Equals("what", str(PrunedPart.SEALED)),
                    Below("ended_before", before),
                ),
                order_by="ended_before",
                descending=False,
                page_size=1,
            )
        )
        for row in found:
            loaded = await self._journal.load(pruning_decider, row.id)
            pruning = loaded.state
            if pruning.account_id != account_id or pruning.ended_before >= before:
                return 0
            streams = await self._log.streams_at(pruning.ranges)
            events = await self._sealed(await self._log.raw_streams(streams))
            if {each.stream for each in events} != streams.keys():
                # Something was appended that is not sealed yet.
                return 0
            # Another pruning may have dropped one of these streams already.
            named = {at for each in pruning.ranges for at in range(each.first, each.last + 1)}
            positions = sorted(named.union(each.position for each in events))
            ended = pruning.ended_before
            pruned = await self._pruned(account_id, PrunedPart.STREAM, positions, ended)
            changed = change(pruning_decider, row.id, loaded, drop(pruning, pruned))
            return await self._write(changed, len(positions), STREAMS)
        return 0

    async def _record(
        self,
        account_id: str,
        streams: Collection[str],
        ended_before: datetime,
        *,
        due: tuple[Due, ...] = (),
        done: tuple[Due, ...] = (),
    ) -> int:
        events = await self._sealed(await self._log.raw_streams(streams)) if streams else ()
        if not events:
            return 0
        positions = [each.position for each in events]
        pruned = await self._pruned(account_id, PrunedPart.SEALED, positions, ended_before)
        stream = self._randomness.new_id(PRUNING.prefix)
        begun = beginning(pruning_decider, stream, prune(pruned))
        return await self._write(begun, len(events), SEALED, due, done)

    async def _write(
        self,
        changed: Change,
        events: int,
        number: int,
        due: tuple[Due, ...] = (),
        done: tuple[Due, ...] = (),
    ) -> int:
        now = self._clock.now()
        by = Caller(changed.state.account_id, WORKER, self._randomness.new_id("req"))
        await self._journal.write(
            by,
            now,
            changed,
            checkpoints=(Checkpoint(CHECKPOINT, self._recorded, self._recorded + 1),),
            due=(Due(_KIND, changed.stream, number, now), *due),
            done=done,
        )
        self._recorded += 1
        return events

    async def _sealed(self, events: Sequence[RawEvent]) -> Sequence[RawEvent]:
        """Leave out streams that the newest signed head does not cover whole."""
        head = await self._journal.sealed_log.newest_head()
        size = 0 if head is None else head.size
        later = {each.stream for each in events if each.position > size}
        return [each for each in events if each.stream not in later]

    async def _pruned(
        self, account_id: str, what: PrunedPart, positions: Sequence[int], ended: datetime
    ) -> EventsPruned:
        ranges = ranges_of(positions)
        return EventsPruned(
            at=self._clock.now(),
            account_id=account_id,
            what=what,
            ranges=ranges,
            digest=await pruned_digest(self._journal.sealed_log, ranges),
            ended_before=ended,
        )

"""Record what is read of the log over HTTP, once a minute for each reader (C-82, D-467)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime

from attrs import define, field

from ...domain.audit_read import EVERY, AuditRead, note_reads, reader_decider
from ..caller import Caller
from ..errors import UnavailableError
from ..journal import Journal, beginning, change
from ..ports.clock import Clock
from ..ports.event_store import StreamConflict
from ..ports.randomness import Randomness
from ..records.reader import reader_stream

MOST_READERS = 1_000
MOST_STREAMS = 100


@define
class _Reads:
    """What one reader was shown since the last record."""

    since: datetime
    until: datetime
    reads: int = 0
    streams: dict[str, None] = field(factory=dict)
    more_streams: int = 0
    first: int | None = None
    last: int | None = None

    def add(self, other: _Reads) -> None:
        """Take in what another has."""
        self.since = min(self.since, other.since)
        self.until = max(self.until, other.until)
        self.reads += other.reads
        self.more_streams += other.more_streams
        for each in other.streams:
            if each not in self.streams:
                if len(self.streams) < MOST_STREAMS:
                    self.streams[each] = None
                else:
                    self.more_streams += 1
        places = [each for each in (self.first, other.first) if each is not None]
        self.first = min(places, default=None)
        self.last = max(
            (each for each in (self.last, other.last) if each is not None), default=None
        )


class RecordingReads:
    """
    Collects in memory what readers were shown, and appends it a minute after it began.

    A reader's events are at least a minute apart, whichever process writes them; what comes sooner waits
    for the next one. Of more than a thousand readers at once, those that came last are not recorded.
    """

    kind = None

    def __init__(self, journal: Journal, randomness: Randomness, clock: Clock) -> None:
        self._journal = journal
        self._randomness = randomness
        self._clock = clock
        self._noted: dict[str, _Reads] = {}

    def stream(self, reader: str, stream: str) -> None:
        """Note that a reader was shown a stream."""
        now = self._clock.now()
        self._note(reader, _Reads(now, now, 1, {stream: None}))

    def part(self, reader: str, first: int, last: int) -> None:
        """Note that a reader was shown events of the log between two positions."""
        now = self._clock.now()
        self._note(reader, _Reads(now, now, 1, first=first, last=last))

    async def run_due(self) -> int:
        """Record what was read in minutes that are over; return how many events that were."""
        now = self._clock.now()
        # After a clock went back, nothing waits for it.
        due = {
            reader: reads
            for reader, reads in self._noted.items()
            if not reads.since <= now < reads.since + EVERY
        }
        return await self._record(due)

    async def end(self) -> None:
        """Record what can be recorded, because the service ends."""
        with suppress(UnavailableError):
            await self._record(dict(self._noted))

    def _note(self, reader: str, reads: _Reads) -> None:
        noted = self._noted.get(reader)
        if noted is not None:
            noted.add(reads)
        elif len(self._noted) < MOST_READERS:
            self._noted[reader] = reads

    async def _record(self, due: Mapping[str, _Reads]) -> int:
        recorded = 0
        for reader, reads in due.items():
            # What is read meanwhile is noted anew.
            del self._noted[reader]
            written = False
            try:
                written = await self._write(reader, reads)
            finally:
                if not written:
                    self._note(reader, reads)
            recorded += written
        return recorded

    async def _write(self, reader: str, reads: _Reads) -> bool:
        """Append an event unless the last one is too new, or another process appends one just now."""
        now, stream = self._clock.now(), reader_stream(reader)
        loaded = await self._journal.find(reader_decider, stream)
        decision = note_reads(
            None if loaded is None else loaded.state,
            AuditRead(
                at=now,
                reader=reader,
                streams=tuple(reads.streams),
                more_streams=reads.more_streams,
                first=reads.first,
                last=reads.last,
                reads=reads.reads,
                since=reads.since,
                until=reads.until,
            ),
        )
        if not decision.events:
            return False
        by = Caller("", reader, self._randomness.new_id("req"))
        made = (
            beginning(reader_decider, stream, decision)
            if loaded is None
            else change(reader_decider, stream, loaded, decision)
        )
        try:
            await self._journal.write(by, now, made)
        except StreamConflict:
            return False
        return True

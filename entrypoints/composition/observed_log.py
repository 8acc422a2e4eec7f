"""Puts the journal on the store, and what wakes up when it appends."""

from __future__ import annotations

from typing import Self

from attrs import frozen

from ...application.audit.disclosing import Disclosing
from ...application.audit.reading_log import ReadingLog
from ...application.audit.watching_log import WatchingLog
from ...application.evidence.proving import Proving
from ...application.evidence.recording_reads import RecordingReads
from ...application.journal import Journal
from ...application.log_wakeup import LogWakeup
from .ports import Ports


@frozen
class ObservedLog:
    """The journal, those who wake when it appends, and the readers of the log and of its proofs."""

    journal: Journal
    callbacks: LogWakeup
    statistics: LogWakeup
    reading: ReadingLog
    watching: WatchingLog
    proving: Proving
    recording: RecordingReads

    @classmethod
    def wire(cls, ports: Ports) -> Self:
        """Build them."""
        callbacks, statistics, readers = LogWakeup(), LogWakeup(), LogWakeup()
        journal = Journal(ports.store, (*ports.observers, callbacks, statistics, readers))
        reading = ReadingLog(journal)
        watching = WatchingLog(journal, reading, readers)
        keys = Disclosing(journal, ports.person_keys).event_keys
        proving = Proving(journal.sealed_log, keys)
        recording = RecordingReads(journal, ports.randomness, ports.clock)
        return cls(journal, callbacks, statistics, reading, watching, proving, recording)

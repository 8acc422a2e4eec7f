"""The SQLite store keeps the contract on a real file, with its cache and without."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.contracts.event_store.together import TogetherContract
from tests.contracts.event_store_contract import EventStoreContract, WritingContract
from tests.fakes.clocks import MachineSeconds
from tests.vaults import new_vault
from tests.warmed import WarmWriter
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.application.ports.event_store import EventStore
from watchword.application.ports.prunable_log import PrunableLog
from watchword.application.ports.sealed_log import SealedLog


class SealedHereReadThere:
    """A sealed log that is written through one instance, and read from the file."""

    def __init__(self, here: SealedLog, there: SealedLog) -> None:
        self.extend = here.extend
        self.keep_head = here.keep_head
        self.cosign = here.cosign
        self.lease = here.lease
        self.sealed_size = there.sealed_size
        self.tiles = there.tiles
        self.raw_events = there.raw_events
        self.raw_stream = there.raw_stream
        self.topics = there.topics
        self.heads = there.heads
        self.heads_before = there.heads_before
        self.newest_head = there.newest_head


class WrittenHereReadThere:
    """A store whose writes go through one instance, and whose reads come from the file."""

    def __init__(self, here: SqliteEventStore, there: SqliteEventStore) -> None:
        self.sealed_log: SealedLog = SealedHereReadThere(here.sealed_log, there.sealed_log)
        self.prunable_log: PrunableLog = here.prunable_log
        self.append = here.append
        self.probe = here.probe
        self.watching_due = here.watching_due
        self.watching_log = here.watching_log
        self.keep_setting = here.keep_setting
        self.forget_answers = here.forget_answers
        self.forget_answers_about = here.forget_answers_about
        self.forget_rows = here.forget_rows
        self.forget_uses = here.forget_uses
        self.forget_tallies = here.forget_tallies
        self.erase_rows = here.erase_rows
        self.rewrap = here.rewrap
        self.keep_key = here.keep_key
        self.scrub = here.scrub
        self.newest = there.newest
        self.load = there.load
        self.recall = there.recall
        self.check_key = there.check_key
        self.holders = there.holders
        self.due = there.due
        self.next_due = there.next_due
        self.position = there.position
        self.seal_key = there.seal_key
        self.people = there.people
        self.person = here.person
        self.people_named = there.people_named
        self.keys_under = there.keys_under
        self.seals_under = there.seals_under
        self.read_log = there.read_log
        self.read_stream = there.read_stream
        self.read_outlines = there.read_outlines
        self.outlines_of = there.outlines_of
        self.totals = there.totals
        self.first_actors = there.first_actors
        self.versions = there.versions
        self.forget_person = there.forget_person
        self.snapshot = there.snapshot
        self.setting = there.setting
        self.page = there.page
        self.slice = there.slice
        self.row = there.row
        self.rows = there.rows


class TestSqliteEventStore(EventStoreContract, TogetherContract):
    """One instance, as the service runs it."""

    @pytest.fixture
    async def store(
        self, tmp_path: Path, machine_seconds: MachineSeconds
    ) -> AsyncIterator[EventStore]:
        """Yield a store on a new file."""
        opened = await SqliteEventStore.open(
            tmp_path / "store.db", real_time=machine_seconds, vault=new_vault()
        )
        yield opened
        await opened.close()


class TestSqliteEventStoreWithAWriterProcess(WritingContract):
    """
    One instance whose writer is a process of its own, as `watchword serve` runs it.

    What only reads is the code that the store above runs, on rows that are shown to be the same.
    """

    @pytest.fixture
    async def store(
        self, tmp_path: Path, machine_seconds: MachineSeconds, monkeypatch: pytest.MonkeyPatch
    ) -> AsyncIterator[EventStore]:
        """Yield a store on a new file, whose writer is forked from one that has imported all it needs."""
        monkeypatch.setattr(subprocess, "Popen", WarmWriter)
        opened = await SqliteEventStore.open(
            tmp_path / "store.db", writer_process=True, real_time=machine_seconds, vault=new_vault()
        )
        yield opened
        await opened.close()


class TestSqliteEventStoreFromDisk(EventStoreContract, TogetherContract):
    """Every read from the file, by an instance that keeps nothing in memory."""

    @pytest.fixture
    async def store(
        self, tmp_path: Path, machine_seconds: MachineSeconds
    ) -> AsyncIterator[EventStore]:
        """Yield a store that is written by one instance and read by another."""
        path = tmp_path / "store.db"
        here = await SqliteEventStore.open(path, real_time=machine_seconds, vault=new_vault())
        there = await SqliteEventStore.open(
            path, read_only=True, real_time=machine_seconds, vault=new_vault()
        )
        yield WrittenHereReadThere(here, there)
        await there.close()
        await here.close()

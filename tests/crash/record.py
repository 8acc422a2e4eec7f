"""The contents of the store, read beside the service or after it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import frozen

from tests.crash.nodes import CODE_KEY
from watchword.adapters.event_store.postgres.store import PostgresEventStore
from watchword.adapters.event_store.sqlite.store import SqliteEventStore
from watchword.adapters.vault import Vault
from watchword.application.audit.checking import Checked, Checking
from watchword.application.journal import Journal
from watchword.application.ports.event_store import DueKind, Recorded
from watchword.application.ports.snapshot import Held
from watchword.application.records import REPLAYED
from watchword.application.records.read_model import Row
from watchword.domain.message import MessageDispatched, MessageSubmitted
from watchword.domain.pin import PinDispatched, PinIssued, PinResent
from watchword.entrypoints.composition.vaults import unlock
from watchword.entrypoints.settings import Settings

_FOREVER = datetime.max.replace(tzinfo=UTC)
_ALL = 1_000_000
_SOME = 1_000


@frozen
class Record:
    """
    The log, the read models, the due rows, and the result of the audit's own check.

    `due` are the dispatches that a worker would recover, `erasing` the stages that are left of erasures,
    `held` the subjects with their holders.
    """

    log: Sequence[Recorded]
    rows: dict[str, Row]
    held: Sequence[Held]
    due: set[tuple[str, int]]
    erasing: set[tuple[str, int]]
    checked: Checked

    @classmethod
    async def of(cls, database: Path | str) -> Record:
        """
        Read a store, a file or the URL of a PostgreSQL, through another instance that only reads.

        It opens what is sealed: the code key of a file lies beside it, all nodes on a PostgreSQL share one.
        """
        store: SqliteEventStore | PostgresEventStore
        vault = Vault(None)
        if isinstance(database, Path):
            settings = Settings(data_dir=database.parent)
            store = await SqliteEventStore.open(database, read_only=True, vault=vault)
        else:
            settings = Settings(code_key=CODE_KEY)
            store = await PostgresEventStore.open(database, read_only=True, vault=vault)
        try:
            assert await unlock(vault, settings, store) is not None
            record = await cls._read(store)
            # A recovery may come in between, and the record must be of one moment.
            while await store.read_log(record.log[-1].position if record.log else 0, 1):
                record = await cls._read(store)
        finally:
            await store.close()
        return record

    @classmethod
    async def _read(cls, store: SqliteEventStore | PostgresEventStore) -> Record:
        log: list[Recorded] = []
        while more := await store.read_log(log[-1].position if log else 0, _SOME):
            log += more
        checked = await Checking(Journal(store)).check()
        rows: dict[str, Row] = {}
        async with store.snapshot() as snapshot:
            for model in REPLAYED:
                async for kept in snapshot.rows(model.row):
                    assert kept.row is not None
                    rows[kept.key] = kept.row
            held = [each async for each in snapshot.holders()]
        due, erasing = [
            {(each.stream, each.number) for each in await store.due(kind, _FOREVER, _ALL)}
            for kind in (DueKind.ORPHANED_DISPATCH, DueKind.ERASURE)
        ]
        return cls(
            log=log,
            rows=rows,
            held=held,
            due=due,
            erasing=erasing,
            checked=checked,
        )

    @property
    def undispatched(self) -> set[tuple[str, int]]:
        """The dispatches without a recorded outcome: of codes by their issue, of messages as 1."""
        sent: set[tuple[str, int]] = set()
        for each in self.log:
            match each.event:
                case PinIssued(issue=issue) | PinResent(issue=issue):
                    sent.add((each.stream, issue))
                case PinDispatched(issue=issue):
                    sent.discard((each.stream, issue))
                case MessageSubmitted():
                    sent.add((each.stream, 1))
                case MessageDispatched():
                    sent.discard((each.stream, 1))
        return sent

    def behind(self, request_id: str) -> list[Recorded]:
        """Return the events that a request wrote, in order."""
        return self._by_request.get(request_id, [])

    def row(self, key: str) -> Any:
        """Return a read model's row."""
        return self.rows[key]

    @cached_property
    def _by_request(self) -> dict[str, list[Recorded]]:
        found: dict[str, list[Recorded]] = {}
        for each in self.log:
            found.setdefault(each.request_id, []).append(each)
        return found

"""A disk under the SQLite store that fails, or hesitates, when a test says so."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from typing import Any

from watchword.adapters.event_store.sqlite.recorder import DurableConnection, DurablePool
from watchword.adapters.event_store.sqlite.store import SqliteEventStore

PATIENCE = 10.0


class FailingDisk:
    """
    Counts what every connection of a store is asked, and fails at the n-th.

    With `lasting` all that follows fails too, until `mend`; `failed` says whether it came to that.
    While it is `hesitant`, each commit says that it begins, and waits until it is let end.
    """

    def __init__(self, store: SqliteEventStore, path: object) -> None:
        self._left: int | None = None
        self._lasting = False
        self.failed = False
        self.hesitant = False
        self.commit_begins = threading.Semaphore(0)
        self.commit_may_end = threading.Semaphore(0)
        datastore = store._recorder.datastore
        datastore.pool.close()
        datastore.pool = _Pool(self, f"file:{path}?mode=rw")

    def fail_at(self, number: int, *, lasting: bool) -> None:
        """Fail at the n-th statement, commit or rollback from now."""
        self._left, self._lasting, self.failed = number, lasting, False

    def mend(self) -> None:
        """Work again."""
        self._left = None

    def asked(self) -> None:
        """Count one more; raises SQLite's error for a broken disk."""
        if self._left is None:
            return
        self._left -= 1
        if not self._left or (self._lasting and self._left < 0):
            self.failed = True
            raise sqlite3.OperationalError("disk I/O error")


class _Pool(DurablePool):
    def __init__(self, disk: FailingDisk, uri: str) -> None:
        self._disk = disk
        super().__init__(uri, read_only=False)

    def _create_connection(self) -> DurableConnection:
        made = super()._create_connection()
        assert isinstance(made, DurableConnection)
        inside: Any = _Connection(self._disk, made._connection)
        made._connection = inside
        return made


class _Connection:
    def __init__(self, disk: FailingDisk, inside: sqlite3.Connection) -> None:
        self._disk = disk
        self._inside = inside

    @property
    def in_transaction(self) -> bool:
        return self._inside.in_transaction

    def cursor(self) -> _Cursor:
        return _Cursor(self._disk, self._inside.cursor())

    def commit(self) -> None:
        if self._disk.hesitant:
            self._disk.commit_begins.release()
            if not self._disk.commit_may_end.acquire(timeout=PATIENCE):
                raise sqlite3.OperationalError("Nobody let this commit end.")
        self._disk.asked()
        self._inside.commit()

    def rollback(self) -> None:
        self._disk.asked()
        self._inside.rollback()


class _Cursor:
    def __init__(self, disk: FailingDisk, inside: sqlite3.Cursor) -> None:
        self._disk = disk
        self._inside = inside

    def execute(self, statement: str, parameters: Sequence[Any] = ()) -> None:
        self._disk.asked()
        self._inside.execute(statement, parameters)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inside, name)

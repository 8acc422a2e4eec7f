"""Opens SQLite files for reading alone: beside a writer, or at rest (D-120)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from eventsourcing.sqlite import SQLiteConnection

from ....application.ports.event_store import StoreUnavailable
from .recorder import DurableDatastore, database_uri


def readable_datastore(path: Path) -> DurableDatastore:
    """
    Open a database file for reading alone, wherever it is.

    To read, SQLite shares an index of the write-ahead log with the writer, and makes one where there
    is none. In a folder that cannot be written it can do so beside a writer alone, so that a file
    without one is read as it lies. Raises `StoreUnavailable` where neither is possible.
    """
    files = [_beside(path, end) for end in ("", "-wal", "-shm")]
    for file in files:
        if file.exists() and not _allowed(file, os.R_OK):
            raise StoreUnavailable(
                f"The store's file {file} cannot be read. Audit it as the user that serves it."
            )
    _, log, index = files
    if index.exists() or _allowed(path.parent, os.W_OK):
        return DurableDatastore(database_uri(path, "ro"), read_only=True)
    if log.exists() and log.stat().st_size:
        raise StoreUnavailable(
            f"The store {path} was not closed, and what was written last cannot be read where"
            f" {index.name} is missing and cannot be made. Copy it together with {log.name} to a"
            " folder that can be written, and audit the copy."
        )
    return RestingDatastore(path)


class RestingDatastore(DurableDatastore):
    """
    A database file that nobody has open, read without making files beside it.

    SQLite looks for no writer then (`immutable`), so this one does, after whatever was read: where
    somebody has opened the file since, it raises `StoreUnavailable`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found = self._standing()
        super().__init__(f"{database_uri(path, 'ro')}&immutable=1", read_only=True)

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """Lend a connection; its results count only if this ends without an error."""
        try:
            with super().get_connection(commit=commit) as connection:
                yield connection
        finally:
            standing = self._standing()
            # A writer that came just before the first look is noticed by it.
            if standing.served or standing != self._found:
                raise StoreUnavailable(
                    f"The store {self._path} was opened by a service while it was read. Try again."
                )

    def _standing(self) -> _Standing:
        # A writer has an index as long as it is there, and moves the file's time before it leaves.
        file = self._path.stat()
        served = _beside(self._path, "-shm").exists()
        return _Standing(file.st_ino, file.st_size, file.st_mtime_ns, served)


class _Standing(NamedTuple):
    """The identity of a file, and whether somebody has it open."""

    inode: int
    size: int
    changed: int
    served: bool


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _allowed(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=True)

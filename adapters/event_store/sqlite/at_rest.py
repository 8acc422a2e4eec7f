"""Opens SQLite files for reading only, beside a service or without one (D-120)."""

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
    Open a database file for reading only, even in a folder that cannot be written.

    To read, SQLite needs an index of the write-ahead log: it shares the writer's or creates one. In a
    folder that cannot be written it cannot create one. Without a writer, the file is then read as
    immutable. Raises `StoreUnavailable` if neither is possible.
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
    A database file that no process has open, read without creating files beside it.

    With `immutable`, SQLite does not look for a writer. So this class checks after every read, and raises
    `StoreUnavailable` if a process has opened the file since.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found = self._file_state()
        super().__init__(f"{database_uri(path, 'ro')}&immutable=1", read_only=True)

    @contextmanager
    def get_connection(self, *, commit: bool) -> Iterator[SQLiteConnection]:
        """Yield a connection; its reads are valid only if the block ends without an error."""
        try:
            with super().get_connection(commit=commit) as connection:
                yield connection
        finally:
            state = self._file_state()
            # A writer that opened the file just before the first check shows in `served`.
            if state.served or state != self._found:
                raise StoreUnavailable(
                    f"The store {self._path} was opened by a service while it was read. Try again."
                )

    def _file_state(self) -> _FileState:
        # A writer keeps an index while it has the file open, and changes the file's time before it ends.
        file = self._path.stat()
        served = _beside(self._path, "-shm").exists()
        return _FileState(file.st_ino, file.st_size, file.st_mtime_ns, served)


class _FileState(NamedTuple):
    """The identity of a file, and whether a process has it open."""

    inode: int
    size: int
    changed: int
    served: bool


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _allowed(path: Path, mode: int) -> bool:
    return os.access(path, mode, effective_ids=True)

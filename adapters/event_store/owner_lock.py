"""One process per SQLite file: a second one is refused, instead of being quietly wrong."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from ...application.ports.event_store import StoreUnavailable


class StoreInUse(StoreUnavailable):
    """Another process owns the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The store {path} is in use by another process. Stop it, or talk to it with --url."
        )


class OwnerLock:
    """
    Holds `<file>.lock` for as long as this process owns the database.

    The system lets go of it when the process dies, however it dies.
    """

    def __init__(self, database: Path) -> None:
        self._file = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise StoreInUse(database) from None

    def release(self) -> None:
        """Give the database up."""
        os.close(self._file)

"""Allows one process per SQLite file; a second one is refused, so that it cannot corrupt decisions."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from ....application.ports.event_store import StoreUnavailable

# The writer of a killed service may still run its last commit.
PATIENCE_SECONDS = 1.0
_LOOK_AGAIN_SECONDS = 0.02


class StoreInUse(StoreUnavailable):
    """Another process owns the file."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"The store {path} is in use by another process. Stop it, or talk to it over HTTP (--url)."
        )


class OwnerLock:
    """
    Locks `<file>.lock` while this process, or the writer that it started, uses the database.

    The system releases the lock when both processes end, even if they crash. The constructor waits up to
    a second, so call it on a thread. Raises `StoreInUse`.
    """

    def __init__(self, database: Path) -> None:
        self.file = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        give_up = time.monotonic() + PATIENCE_SECONDS
        while not self._try_lock():
            if time.monotonic() > give_up:
                os.close(self.file)
                raise StoreInUse(database)
            time.sleep(_LOOK_AGAIN_SECONDS)

    def release(self) -> None:
        """Release the database."""
        os.close(self.file)

    def _try_lock(self) -> bool:
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

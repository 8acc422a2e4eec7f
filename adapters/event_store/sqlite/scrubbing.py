"""Removes deleted data from a store's files (C-74)."""

from __future__ import annotations

import time

from .recorder import BUSY_SECONDS, DurableDatastore

# A checkpoint that empties the log needs a moment between two commits, and no reader of an older state.
_TRIES = 50
_PAUSE_SECONDS = 0.002


def empty_log(datastore: DurableDatastore) -> bool:
    """
    Copy the write-ahead log into the database and empty it; return False if something is in the way.

    Deleted rows are overwritten in the database (`secure_delete`), but older pages stay in the log. The
    first checkpoint copies without the writers' lock. The second has little left to copy, and gives up
    at once instead of keeping the lock while it waits for a reader (D-316).
    """
    with datastore.get_connection(commit=False) as connection:
        cursor = connection.cursor()
        try:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
            cursor.execute("PRAGMA busy_timeout=0")
            for _ in range(_TRIES):
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                busy, _, _ = cursor.fetchone()
                if not busy:
                    return True
                time.sleep(_PAUSE_SECONDS)
        finally:
            cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
            cursor.sqlite_cursor.close()
    return False

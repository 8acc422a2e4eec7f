"""Commits a batch and turns errors into results, for the writer's thread and process."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from eventsourcing.persistence import PersistenceError

from ....application.ports.event_store import StoreUnavailable
from ..batch.packed_append import PackedAppend
from ..sql.failures import reason_of
from .recorder import BatchRecorder


def commit(
    recorder: BatchRecorder, batch: Sequence[PackedAppend], real_now: float
) -> list[Sequence[int] | Exception]:
    """Write a batch in one transaction; return each append's positions, or the error that refused it."""
    try:
        return list(recorder.write(batch, real_now))
    except (PersistenceError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.IntegrityError) and len(batch) > 1:
            # The database refuses one append: halve the batch until it is alone.
            half = len(batch) // 2
            return commit(recorder, batch[:half], real_now) + commit(
                recorder, batch[half:], real_now
            )
        failure = StoreUnavailable(f"The store cannot write: {error}.", reason_of(error))
        return [failure] * len(batch)

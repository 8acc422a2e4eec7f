"""
Idempotent requests: the claim on a key, and the answer to save under it (C-10).

`entrypoints/idempotency_keys.py` makes the claim. The store checks it inside the append
(`adapters/event_store/batch/idempotency.py`). `entrypoints/http/replay.py` replays a saved answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from .caller import Caller
from .journal import Journal
from .ports.clock import Clock
from .ports.event_store import Reservation


@frozen
class Idempotency:
    """
    A claim on an Idempotency-Key, and the writer of its answer.

    `present` turns the result, or the exception in its place, into the bytes to save. `opened` turns
    saved bytes into the answer to return again: only the client's key opens them (D-330).
    """

    reservation: Reservation
    present: Callable[[Any], bytes]
    opened: Callable[[bytes], bytes]

    async def save(self, journal: Journal, by: Caller, clock: Clock, result: object) -> None:
        """Save the answer for `result` in an append of its own, for a use case that writes nothing else."""
        await journal.write(
            by, clock.now(), completing=self.reservation, answer=self.present(result)
        )

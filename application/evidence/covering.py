"""Covers the log with hashes, a batch at a time, and returns the roots over it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ..ports.sealed_log import LogDamaged, SealedLog
from .errors import LogDamagedError
from .forks import root_at
from .tree import MissingTileError

# Rows that one job of a store thread hashes.
BATCH = 1_024


async def _go_on() -> None:
    """Do nothing between two batches."""


async def cover(log: SealedLog, until: int, between: Callable[[], Awaitable[None]] = _go_on) -> int:
    """
    Cover the log up to an event with hashes; return how many events are covered.

    `between` is awaited after each batch. Raises `LogDamagedError`.
    """
    size = await log.sealed_size()
    try:
        while size < until and (now := await log.extend(BATCH)) > size:
            size = now
            await between()
    except LogDamaged as damage:
        raise LogDamagedError(damage.position) from damage
    return size


async def covered_root(log: SealedLog, size: int) -> bytes:
    """Return the root of the first `size` events, which are covered; raises `LogDamagedError`."""
    try:
        return await root_at(log, size)
    except MissingTileError as damage:
        raise LogDamagedError(size) from damage

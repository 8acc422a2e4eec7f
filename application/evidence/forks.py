"""Whether the log still is the one that was signed: it must extend every head that is kept of it."""

from __future__ import annotations

from collections.abc import Iterable

from ...verify_evidence import Checkpoint, name_and_number
from ..ports.sealed_log import SealedLog
from .tree import MissingTileError, root, root_tiles


async def root_at(log: SealedLog, size: int) -> bytes:
    """Return the root of the first `size` events; raises `MissingTileError` if they are not sealed."""
    return root(size, await log.tiles(root_tiles(size)))


async def first_fork(
    log: SealedLog, name: str, number: int, size: int, heads: Iterable[Checkpoint]
) -> Checkpoint | None:
    """
    Return the first of the heads that a log of this origin and size does not extend; None if it extends all.

    Heads of an earlier number were declared lost by the restore that raised it. A head of a later number, or
    of another name, is of no log that this one extends.
    """
    for head in heads:
        named, numbered = name_and_number(head.origin)
        if named == name and numbered is not None and numbered < number:
            continue
        if (named, numbered) != (name, number) or not await _extends(log, size, head):
            return head
    return None


async def _extends(log: SealedLog, size: int, head: Checkpoint) -> bool:
    if head.size > size:
        return False
    try:
        return await root_at(log, head.size) == head.root
    except MissingTileError:
        return False

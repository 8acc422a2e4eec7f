"""Takes out of the log what a recorded step of a retention names (C-75, D-454)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from itertools import islice
from typing import TypeVar

from ...domain.log_history import Pruning, pruning_decider
from ..caller import THE_WORKER
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Due, Loaded
from ..ports.listings import Equals
from ..records.pin_template import PinTemplateRow
from .due_numbers import SEALED

T = TypeVar("T")

# Streams of one transaction; writers wait for it.
_AT_ONCE = 32
# A slow write means that writers wait for each other, so rest longer before the next one (D-575).
_RESTS = 4
# A process that was stopped during a write must not rest for hours.
_LONGEST_REST = 20.0


def _uses_of(template_id: str) -> str:
    """Return the beginning of the subjects by which a PIN template counts sends."""
    return f"sends:{template_id}"


async def take_out(journal: Journal, clock: Clock, due: Due) -> None:
    """
    Take out what a step recorded, some streams at once; the due row goes when all of it is gone.

    After each write it rests for four times as long as the write took, at most 20 s.
    """
    loaded: Loaded[Pruning] = await journal.load(pruning_decider, due.stream)
    pruning, log = loaded.state, journal.prunable_log
    streams = await log.streams_at(pruning.ranges)
    take = log.blank if due.number == SEALED else log.drop
    names = iter(sorted(streams))
    while some := {each: streams[each] for each in islice(names, _AT_ONCE)}:
        await _rested(take(some))
    if due.number == SEALED:
        await _forget_uses(journal, pruning)
    await journal.write(THE_WORKER, clock.now(), done=(due,))


async def _forget_uses(journal: Journal, pruning: Pruning) -> None:
    """Forget the sends that no rate of the account counts any more."""
    of_account = Equals("account_id", pruning.account_id)
    async for row in journal.every(PinTemplateRow, of_account):
        subjects, before = _uses_of(row.id), pruning.ended_before
        while await _rested(journal.prunable_log.forget_old_uses(subjects, before)):
            pass


async def _rested(write: Awaitable[T]) -> T:
    """Wait for a write, then rest; return what it returned."""
    time = asyncio.get_running_loop().time
    began = time()
    written = await write
    await asyncio.sleep(min(_RESTS * (time() - began), _LONGEST_REST))
    return written

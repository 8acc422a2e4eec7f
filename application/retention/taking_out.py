"""Takes out of the log what a recorded step of a retention names (C-75, D-454)."""

from __future__ import annotations

import asyncio
from itertools import islice

from ...domain.log_history import Pruning, pruning_decider
from ..caller import THE_WORKER
from ..journal import Journal
from ..ports.clock import Clock
from ..ports.event_store import Due, Loaded
from ..ports.listings import Equals
from ..records.pin_template import PinTemplateRow
from .due_numbers import SEALED

# Streams of one transaction; writers wait for it.
_AT_ONCE = 32
# A write that takes long shows that writers wait for each other, so the next comes later (D-575).
_RESTS = 4


def _uses_of(template_id: str) -> str:
    """Return the beginning of the subjects by which a PIN template counts sends."""
    return f"sends:{template_id}"


async def take_out(journal: Journal, clock: Clock, due: Due) -> None:
    """
    Take out what a step recorded, some streams at once; the due row goes when all of it is gone.

    After each write it rests for four times as long as the write took.
    """
    loaded: Loaded[Pruning] = await journal.load(pruning_decider, due.stream)
    pruning, log = loaded.state, journal.prunable_log
    streams = await log.streams_at(pruning.ranges)
    take = log.blank if due.number == SEALED else log.drop
    names, time = iter(sorted(streams)), asyncio.get_running_loop().time
    while some := {each: streams[each] for each in islice(names, _AT_ONCE)}:
        began = time()
        await take(some)
        await asyncio.sleep(_RESTS * (time() - began))
    if due.number == SEALED:
        await _forget_uses(journal, pruning)
    await journal.write(THE_WORKER, clock.now(), done=(due,))


async def _forget_uses(journal: Journal, pruning: Pruning) -> None:
    """Forget the sends that no rate of the account counts any more."""
    of_account = Equals("account_id", pruning.account_id)
    async for row in journal.every(PinTemplateRow, of_account):
        while await journal.prunable_log.forget_old_uses(_uses_of(row.id), pruning.ended_before):
            pass

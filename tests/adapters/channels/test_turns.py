"""Long work shares the event loop with everything else (C-94)."""

from __future__ import annotations

import asyncio

from watchword.adapters.channels.turns import Turns


async def test_others_go_on_once_a_turn_is_over() -> None:
    """A turn has 5 ms; the next one begins when the others have had theirs."""
    now, went_on = 100.0, 0

    async def other() -> None:
        nonlocal went_on
        went_on += 1

    turns = Turns(lambda: now)
    told = []
    for passed in (0.0, 0.004, 0.001, 0.004, 0.002):
        waiting = asyncio.create_task(other())
        now += passed
        await turns.pause()
        told.append(went_on)
        waiting.cancel()

    assert [0, 0, 1, 1, 2] == told

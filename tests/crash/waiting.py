"""Waiting for something to come true, and not for time to go by."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from aiohttp import ClientSession

# A busy machine may need most of it.
PATIENCE = 60
_LOOK_AGAIN = 0.01


async def until(holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait until something holds; `TimeoutError` after a minute, or as many seconds as are given."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110  another process makes it come true
            await asyncio.sleep(_LOOK_AGAIN)


async def until_ready(session: ClientSession, status: int) -> None:
    """Wait until `/health/ready` answers with a status; `TimeoutError` after a minute."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async with session.get("/health/ready") as answer:
                if answer.status == status:
                    return
            await asyncio.sleep(_LOOK_AGAIN)

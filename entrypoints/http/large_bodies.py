"""Large bodies are read beside the event loop: their objects are made and looked at one by one (C-94)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from aiohttp import web

T = TypeVar("T")

# What is smaller is read in a few milliseconds, whatever it consists of.
LARGE = 16 * 1024


class LargeBodies:
    """
    Reads one large body after the other, in a thread.

    The interpreter hands itself over every 5 ms: so one body at a time holds others up for no longer
    than that.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def read(self, work: Callable[[], T]) -> T:
        """Do the work of reading, or of looking through what was read, and return what came of it."""
        async with self._turn:
            return await asyncio.to_thread(work)


LARGE_BODIES = web.AppKey("large_bodies", LargeBodies)

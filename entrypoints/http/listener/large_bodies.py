"""Large bodies are read, and written, beside the event loop, which each object would hold (C-94)."""

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
    Reads or writes one large body after the other, in a thread.

    The interpreter hands itself over every 5 ms: so one body at a time holds others up for no longer
    than that.
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def do(self, work: Callable[[], T]) -> T:
        """Do what is to be done with one, and return what came of it."""
        async with self._lock:
            return await asyncio.to_thread(work)


LARGE_BODIES = web.AppKey("large_bodies", LargeBodies)

"""The end of a wait whose client went away, of which aiohttp tells a handler nothing (D-476)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

# An app may be served by any aiohttp server, so only a look at its connection tells.
LOOK_EVERY = 1.0


@contextmanager
def leaving_ends(deadline: asyncio.Timeout, request: web.Request) -> Iterator[None]:
    """Have a deadline come soon after the client of a request goes away while the block runs."""
    loop = asyncio.get_running_loop()
    next_look: asyncio.TimerHandle

    def look() -> None:
        nonlocal next_look
        if request.transport is not None:
            next_look = loop.call_later(LOOK_EVERY, look)
        elif not deadline.expired():
            deadline.reschedule(loop.time())

    next_look = loop.call_later(LOOK_EVERY, look)
    try:
        yield
    finally:
        next_look.cancel()

"""The stop of a service, as bodies meet it that are not here whole: 503, as nothing was begun (D-142)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from aiohttp import web

from ....application.errors import UnavailableError


class Stopping:
    """
    Ends the reading of bodies once a stop begins.

    From then on aiohttp throws away what comes, so that the rest of a body would be waited for in
    vain. Whoever sends it is answered at once, and has some time to read that: `rest` seconds.
    """

    def __init__(self, rest: float) -> None:
        self._rest = rest
        self._begun = False
        self._reading: dict[asyncio.Timeout, asyncio.Task[None]] = {}

    async def begin(self, _: web.Application) -> None:
        """End what is being read, and wait until its clients have been answered."""
        self._begun = True
        reading = dict(self._reading)
        for deadline in reading:
            if not deadline.expired():
                deadline.reschedule(asyncio.get_running_loop().time())
        if reading:
            await asyncio.wait(reading.values(), timeout=self._rest)

    @contextmanager
    def may_end(self, deadline: asyncio.Timeout, request: web.Request) -> Iterator[None]:
        """Have a deadline come at once when a stop begins while the block runs."""
        if self._begun:
            deadline.reschedule(asyncio.get_running_loop().time())
        self._reading[deadline] = request.task
        try:
            yield
        finally:
            del self._reading[deadline]

    def check(self) -> None:
        """Raise `UnavailableError` once a stop has begun."""
        if self._begun:
            raise UnavailableError


STOPPING = web.AppKey("stopping", Stopping)

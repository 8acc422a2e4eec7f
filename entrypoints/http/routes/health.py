"""Health: whether the process lives, and whether it can do its work (C-1)."""

from __future__ import annotations

import asyncio

from aiohttp import web

from ....application.errors import UnavailableError
from ...codec import encode
from ...wiring import Wired
from ..answers import Answer
from ..edge import request_id_of

_PROBE_SECONDS = 2.0
_PROBE_EVERY = 1.0


class HealthRoutes:
    """`/health/live` and `/health/ready`."""

    def __init__(self, service: Wired) -> None:
        self._service = service
        self._last: asyncio.Future[None] | None = None
        self._asked = 0.0

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            web.get("/health/live", self.live),
            web.get("/health/ready", self.ready),
        ]

    def _probe(self) -> asyncio.Future[None]:
        # Anybody may ask: all who ask within a second share one write.
        now = asyncio.get_running_loop().time()
        probe = self._last
        if probe is None or (probe.done() and now - self._asked >= _PROBE_EVERY):
            self._asked = now
            probe = self._last = asyncio.ensure_future(self._service.journal.probe())
            probe.add_done_callback(_read)
        return probe

    async def live(self, request: web.Request) -> web.Response:
        """Say that the process lives."""
        return Answer(200, encode({"status": "live"})).response(request_id_of(request))

    async def ready(self, request: web.Request) -> web.Response:
        """Say whether the store takes writes: one that can only be read is not ready."""
        try:
            async with asyncio.timeout(_PROBE_SECONDS):
                await asyncio.shield(self._probe())
        except (UnavailableError, TimeoutError):
            body = encode({"status": "unavailable", "reason": "The store does not take writes."})
            return Answer(503, body, {"Retry-After": "1"}).response(request_id_of(request))
        return Answer(200, encode({"status": "ready"})).response(request_id_of(request))


def _read(probe: asyncio.Future[None]) -> None:
    # Whoever asked may have gone: its failure is told to the next, and to no log.
    if not probe.cancelled():
        probe.exception()

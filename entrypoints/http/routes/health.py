"""Health: whether the process lives, and whether it can do its work (C-1)."""

from __future__ import annotations

from aiohttp import web

from ...wire.codec import encode
from ...wired import Wired
from ..answers import Answer
from ..request_ids import request_id_of
from ..route import NOTHING, About, Route


async def live(_: Wired, request: web.Request) -> web.Response:
    """Answer that the process lives."""
    return Answer(200, encode({"status": "live"})).response(request_id_of(request))


async def ready(service: Wired, request: web.Request) -> web.Response:
    """Answer whether the service can do its work."""
    if await service.readiness.is_ready():
        return Answer(200, encode({"status": "ready"})).response(request_id_of(request))
    body = encode({"status": "unavailable", "reason": "The store does not take writes."})
    return Answer(503, body, {"Retry-After": "1"}).response(request_id_of(request))


HEALTH_ROUTES = (
    Route("GET", "/health/live", live, NOTHING, About.STORE),
    Route("GET", "/health/ready", ready, NOTHING, About.STORE),
)

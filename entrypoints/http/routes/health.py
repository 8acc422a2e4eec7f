"""Health: whether the process lives, and whether it can do its work (C-1)."""

from __future__ import annotations

from aiohttp import web

from ....application.evidence.sealing_log import LogState
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
        return Answer(200, encode(_readiness(service))).response(request_id_of(request))
    body = encode({"status": "unavailable", "reason": "The store does not take writes."})
    return Answer(503, body, {"Retry-After": "1"}).response(request_id_of(request))


def _readiness(service: Wired) -> dict[str, str]:
    """Return the answer of a service that is ready: it serves although its log is not signed (C-105)."""
    state = LogState.SEALED if service.sealing is None else service.sealing.state
    return {"status": "ready", **({} if state is LogState.SEALED else {"log": state})}


HEALTH_ROUTES = (
    Route("GET", "/health/live", live, NOTHING, About.STORE),
    Route("GET", "/health/ready", ready, NOTHING, About.STORE),
)

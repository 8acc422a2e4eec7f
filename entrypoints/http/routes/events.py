"""The event log, and the events of one stream (C-38)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from aiohttp import web

from ....application.audit.reading_log import DEFAULT_EVENTS
from ....application.caller import Caller
from ....application.ports.event_store import Recorded
from ....domain.errors import FieldProblem, ValidationFailedError
from ...wire.codec import encode
from ...wire.shown_events import check_names, shown_event
from ...wired import Wired
from ..answers import Answer
from ..listener.large_bodies import LARGE_BODIES
from ..requests import integer
from ..route import READ, About, Route


async def events(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the log behind a position, in commit order."""
    after = _cursor(request)
    limit = integer(request.query.get("limit"), DEFAULT_EVENTS)
    page = await service.reading_log.events(after, limit, _event_names(request))
    return (await _events(request, page.events, page.next)).response(by.request_id)


async def stream(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show one stream."""
    found = await service.reading_log.stream(request.match_info["id"])
    return (await _events(request, found, found[-1].position)).response(by.request_id)


def _event_names(request: web.Request) -> Collection[str]:
    """Read the names of events that the log is narrowed to; an empty one narrows nothing (D-114)."""
    names = {name for name in request.query.getall("type", ()) if name}
    check_names(names)
    return names


async def _events(request: web.Request, found: Sequence[Recorded], next_after: int) -> Answer:
    # Whatever asks for masking gets it: a slip must not show destinations.
    mask = request.query.get("mask", "false").lower() not in ("false", "0", "no", "off")

    def shown() -> bytes:
        data = [shown_event(each, mask=mask) for each in found]
        return encode({"data": data, "next": next_after})

    many = len(found) > DEFAULT_EVENTS
    return Answer(200, await request.app[LARGE_BODIES].do(shown) if many else shown())


def _cursor(request: web.Request) -> int:
    text = request.query.get("after", "0")
    if not re.fullmatch(r"[0-9]{1,18}", text):
        # A damaged cursor that began anew would have its reader take the whole log again.
        raise ValidationFailedError([FieldProblem("after", "must be a position in the log")])
    return int(text)


_EVENTS = ("after", "limit", "type", "mask")

EVENT_ROUTES = (
    Route("GET", "/admin/v1/events", events, READ, About.STORE, _EVENTS, several=("type",)),
    Route("GET", "/admin/v1/streams/{id}/events", stream, READ, About.STORE, ("mask",)),
)

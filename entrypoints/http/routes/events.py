"""The event log, and the events of one stream (C-38)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from aiohttp import web

from ....application.audit.reading_log import DEFAULT_EVENTS, LogPage
from ....application.caller import Caller
from ....application.ports.event_store import Recorded
from ....application.records.reader import reader_stream
from ....domain.errors import FieldProblem, ValidationFailedError
from ...wire.codec import encode
from ...wire.log_searches import LOG_FILTERS, SEVERAL, cut_of, log_search
from ...wire.shown_events import shown_event
from ...wired import Wired
from ..answers import Answer
from ..listener.large_bodies import LARGE_BODIES
from ..listener.leaving import leaving_ends
from ..listener.stopping import STOPPING
from ..requests import integer
from ..route import READ, About, Route


async def events(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the log behind a position, in commit order; wait for its next event if asked to."""
    after = _cursor(request)
    limit = integer(request.query.get("limit"), DEFAULT_EVENTS)
    search = log_search({name: request.query.getall(name, ()) for name in LOG_FILTERS})
    seconds = max(0, integer(request.query.get("wait"), 0))
    page = LogPage((), after)
    try:
        async with asyncio.timeout(None) as deadline:
            # A service that stops waits for nothing new, and its answer ends the wait of the reader.
            stopping = request.app[STOPPING].may_end(deadline, request)
            # A reader that goes away makes room for another.
            with stopping, leaving_ends(deadline, request):
                page = await service.watching_log.events(after, limit, search, seconds)
    except TimeoutError:
        pass
    # A reader who follows the log is shown the record of its own reading, which is no new reading.
    others = [each for each in page.events if each.stream != reader_stream(by.actor)]
    if others:
        service.recording_reads.part(by.actor, others[0].position, others[-1].position)
    return (await _events(request, by, page.events, page.next)).response(by.request_id)


async def stream(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show one stream, whole or as of a time or a position."""
    text = request.query.get("asOf")
    cut = cut_of("asOf", text) if text else None
    found = await service.reading_log.stream(request.match_info["id"], cut)
    service.recording_reads.stream(by.actor, found[0].stream)
    return (await _events(request, by, found, found[-1].position)).response(by.request_id)


async def _events(
    request: web.Request, by: Caller, found: Sequence[Recorded], next_after: int
) -> Answer:
    # Whatever asks for masking gets it: a slip must not show destinations. Most auditors always do (C-84).
    mask = by.masked or request.query.get("mask", "false").lower() not in _NOT_MASKED

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


_NOT_MASKED = ("false", "0", "no", "off")
_EVENTS = ("after", "limit", "wait", *LOG_FILTERS, "mask")

EVENT_ROUTES = (
    Route("GET", "/admin/v1/events", events, READ, About.STORE, _EVENTS, several=SEVERAL),
    Route("GET", "/admin/v1/streams/{id}/events", stream, READ, About.STORE, ("asOf", "mask")),
)

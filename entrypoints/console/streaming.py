"""Answers that grow while they are sent: pages, as browsers show them without a script, and events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from aiohttp import web
from aiohttp.hdrs import CONTENT_TYPE

from ..http.listener.json_response import REQUEST_ID
from ..http.request_ids import request_id_of
from .rendering import HTML, PAGE_HEADERS, rendered
from .visit import Visit

# Stands in a template where the parts go; it is no text of anybody, because those are escaped.
_PLACE = "<!--parts-->"
# Proxies would hold the parts back.
_AS_IT_COMES = {"X-Accel-Buffering": "no"}


async def event_stream(visit: Visit) -> web.StreamResponse:
    """Begin an answer of server-sent events."""
    return await _begun(visit, "text/event-stream; charset=utf-8")


async def _begun(visit: Visit, kind: str) -> web.StreamResponse:
    headers = {
        **PAGE_HEADERS,
        CONTENT_TYPE: kind,
        REQUEST_ID: request_id_of(visit.request),
        **_AS_IT_COMES,
    }
    response = web.StreamResponse(headers=headers)
    await response.prepare(visit.request)
    return response


def fragment(template: str, **facts: Any) -> str:
    """Return a part of a page."""
    return rendered(template, facts)


async def streamed(
    visit: Visit, template: str, parts: AsyncIterator[str], **facts: Any
) -> web.StreamResponse:
    """Answer with a page, and write each part in its `<!--parts-->` when it comes."""
    head, place, tail = visit.rendered(template, **facts).partition(_PLACE)
    if not place:
        raise LookupError(f"The template {template} has no place for parts.")
    response = await _begun(visit, HTML)
    await response.write(head.encode())
    async for each in parts:
        await response.write(each.encode())
    await response.write(tail.encode())
    await response.write_eof()
    return response

"""`Expect: 100-continue`, answered when a body is wanted and not before (C-8, C-64)."""

from __future__ import annotations

from aiohttp import web

from .incoming_requests import IncomingRequest

_CONTINUE = "100-continue"


def refuse_unknown(request: web.Request) -> None:
    """Raise `HTTPExpectationFailed` for what the route cannot do; unknown routes stay 404 or 405."""
    if not isinstance(request, IncomingRequest) or request.expected in (None, _CONTINUE):
        return
    if request.match_info.http_exception is None:
        raise web.HTTPExpectationFailed


async def ask_for_body(request: web.Request) -> None:
    """Tell a client that waits for it to send the body."""
    if isinstance(request, IncomingRequest) and request.expected:
        request.expected = None
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        # As aiohttp itself does: the answer has not begun yet.
        request.writer.output_size = 0

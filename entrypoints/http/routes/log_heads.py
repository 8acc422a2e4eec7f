"""The signed heads of the log, and the tiles under the newest one (C-81, C-105)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from aiohttp import web
from aiohttp.hdrs import CACHE_CONTROL, CONTENT_TYPE

from ....application.caller import Caller
from ....application.errors import UnavailableError
from ....application.evidence.reading_heads import DEFAULT_HEADS, MAX_HEADS, Tile
from ....domain.errors import FieldProblem, ValidationFailedError
from ...wire.codec import unstructure
from ...wire.log_heads import LogHead
from ...wired import Wired
from ..listener.json_response import REQUEST_ID
from ..operator_handlers import record_answer
from ..requests import integer
from ..route import READ, About, Route

_LOG = "/admin/v1/log"
_TEXT: Mapping[str, str] = {CONTENT_TYPE: "text/plain; charset=utf-8"}
# A full tile never changes, nor does the beginning of one.
_TILE: Mapping[str, str] = {
    CONTENT_TYPE: "application/octet-stream",
    CACHE_CONTROL: "private, max-age=604800, immutable",
}


async def checkpoint(service: Wired, _: web.Request, by: Caller) -> web.Response:
    """Show the newest head as a signed note."""
    head = await service.reading_heads.newest()
    return _bytes(head.note.encode(), _TEXT, by)


async def tile(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the hashes of a tile."""
    given = request.match_info
    hashes = await service.reading_heads.tile(Tile.parse(given["level"], given["tile"]))
    return _bytes(hashes, _TILE, by)


async def heads(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """List heads by their size."""
    limit = min(integer(request.query.get("limit"), DEFAULT_HEADS), MAX_HEADS)
    found = await service.reading_heads.after(_size(request), max(1, limit))
    return record_answer(by, {"data": unstructure([LogHead.of(each) for each in found])})


async def seal(service: Wired, _: web.Request, by: Caller) -> web.Response:
    """Sign a head of the log as it is now."""
    if service.sealing is None:
        # A command opened the store for reading only.
        raise UnavailableError
    return record_answer(by, LogHead.of(await service.sealing.seal()))


def _bytes(body: bytes, headers: Mapping[str, str], by: Caller) -> web.Response:
    return web.Response(body=body, headers={**headers, REQUEST_ID: by.request_id})


def _size(request: web.Request) -> int:
    text = request.query.get("after", "0")
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise ValidationFailedError([FieldProblem("after", "must be a number of events")])
    return int(text)


LOG_HEAD_ROUTES = (
    Route("GET", f"{_LOG}/checkpoint", checkpoint, READ, About.STORE),
    Route("GET", f"{_LOG}/heads", heads, READ, About.STORE, ("after", "limit")),
    Route("GET", f"{_LOG}/tile/{{level}}/{{tile}}", tile, READ, About.STORE, deep=True),
    # Auditors may: a head says nothing new, and a log that did not grow gets none.
    Route("POST", f"{_LOG}/seal", seal, READ, About.STORE, bodiless=True),
)

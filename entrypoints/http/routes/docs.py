"""The documentation page: `/openapi.json`, rendered by files of our own (C-5, D-30)."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from aiohttp import web
from aiohttp.hdrs import (
    CACHE_CONTROL,
    CONTENT_SECURITY_POLICY,
    CONTENT_TYPE,
    ETAG,
    IF_NONE_MATCH,
)

from ...wired import Wired
from ..answers import Answer
from ..listener.json_response import REQUEST_ID
from ..openapi_document import description_of
from ..request_ids import request_id_of
from ..route import NOTHING, About, Route

_FOLDER = Path(__file__).parents[1] / "docs"
_PAGE = _FOLDER / "page.html"
_SWAGGER_UI = _FOLDER / "swagger-ui-5.35.0"
_ASSETS = {
    path.name: path
    for path in (
        _FOLDER / "page.js",
        _SWAGGER_UI / "swagger-ui-bundle.js",
        _SWAGGER_UI / "swagger-ui.css",
    )
}
_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
# Nothing is fetched from anywhere else, and nothing runs that does not stand in a file of ours. Icons
# in the style sheet are `data:` addresses.
_HEADERS = {
    CONTENT_SECURITY_POLICY: "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


async def page(_: Wired, request: web.Request) -> web.StreamResponse:
    """Show the page."""
    return _file(request, _PAGE, "no-cache")


async def asset(_: Wired, request: web.Request) -> web.StreamResponse:
    """Return one of the files of the page."""
    path = _ASSETS.get(request.match_info["file"])
    if path is None:
        raise web.HTTPNotFound
    return _file(request, path, "public, max-age=86400")


async def openapi(service: Wired, request: web.Request) -> web.Response:
    """Answer with the description of all that the service has."""
    return Answer(200, description_of(service)).response(request_id_of(request))


@cache
def _content(path: Path) -> tuple[bytes, str]:
    """Read a file of the release, and name what is in it, once."""
    content = path.read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def _file(request: web.Request, path: Path, caching: str) -> web.Response:
    # From memory: aiohttp's answer out of a file says some refusals itself, past the edge.
    content, etag = _content(path)
    headers = {
        **_HEADERS,
        CACHE_CONTROL: caching,
        CONTENT_TYPE: _TYPES[path.suffix],
        ETAG: etag,
        REQUEST_ID: request_id_of(request),
    }
    if request.headers.get(IF_NONE_MATCH) == etag:
        return web.Response(status=304, headers=headers)
    return web.Response(body=content, headers=headers)


# They say only what the document says, which anybody may read.
OPENAPI_ROUTES = (Route("GET", "/openapi.json", openapi, NOTHING, About.STORE),)
DOCS_ROUTES = (
    Route("GET", "/docs", page, NOTHING, About.STORE),
    Route("GET", "/docs/{file}", asset, NOTHING, About.STORE),
)

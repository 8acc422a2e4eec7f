"""The documentation page: `/openapi.json`, rendered by files of our own (C-5, D-30)."""

from __future__ import annotations

from pathlib import Path

from aiohttp import web
from aiohttp.hdrs import CACHE_CONTROL, CONTENT_SECURITY_POLICY

from ...wired import Wired
from ..answers import Answer
from ..openapi_document import description_of
from ..release_files import release_file
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
    return release_file(request, _PAGE, {**_HEADERS, CACHE_CONTROL: "no-cache"})


async def asset(_: Wired, request: web.Request) -> web.StreamResponse:
    """Return one of the files of the page."""
    path = _ASSETS.get(request.match_info["file"])
    if path is None:
        raise web.HTTPNotFound
    return release_file(request, path, {**_HEADERS, CACHE_CONTROL: "public, max-age=86400"})


async def openapi(service: Wired, request: web.Request) -> web.Response:
    """Answer with the description of all that the service has."""
    return Answer(200, description_of(service)).response(request_id_of(request))


# They say only what the document says, which anybody may read.
OPENAPI_ROUTES = (Route("GET", "/openapi.json", openapi, NOTHING, About.STORE),)
DOCS_ROUTES = (
    Route("GET", "/docs", page, NOTHING, About.STORE),
    Route("GET", "/docs/{file}", asset, NOTHING, About.STORE),
)

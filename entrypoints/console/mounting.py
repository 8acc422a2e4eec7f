"""The console as routes of a listener (C-85)."""

from __future__ import annotations

from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.hdrs import CACHE_CONTROL

from ...domain.accounts.token_role import TokenRole
from ...domain.errors import NotFoundError
from ..http.release_files import release_file
from ..http.route import NOTHING, About, Route
from ..wired import Wired
from .cookies import Cookies
from .gate import ConsoleGate
from .live import Live
from .page import Page
from .pages import PAGES, SANDBOX_PAGES
from .refusals import Handler, with_refusals
from .rendering import PAGE_HEADERS, Compiling, redirect, static_files
from .signing_in import SigningIn
from .visit import Visit

_ROOT = "/console"


def console_routes(service: Wired, browsers_url: str | None = None) -> tuple[Route, ...]:
    """
    Return the routes of the console, for a listener that has an admin token.

    Addresses in pages begin with the path of `browsers_url`, which a proxy may strip; with its scheme https,
    cookies are for TLS alone.
    """
    public = urlsplit(browsers_url or "")
    base = public.path.rstrip("/") + _ROOT
    cookies = Cookies(base, secure=public.scheme == "https")
    compiling = Compiling()
    gate = ConsoleGate(base, cookies, compiling)
    signing_in = SigningIn(base, cookies, compiling)
    pages = (
        *PAGES,
        *(SANDBOX_PAGES if service.sandbox is not None else ()),
        Page("GET", "/live", Live(cookies).show, TokenRole.AUDITOR),
        Page("GET", "/{rest}", _nothing, TokenRole.AUDITOR),
    )
    return (
        Route("GET", f"{_ROOT}/", _to_the_root(base), NOTHING, About.STORE),
        *(
            Route(method, f"{_ROOT}{path}", with_refusals(base, handler), NOTHING, About.STORE)
            for method, path, handler in (
                ("GET", "/login", signing_in.show),
                ("POST", "/login", signing_in.sign_in),
                ("POST", "/logout", signing_in.sign_out),
            )
        ),
        Route("GET", f"{_ROOT}/static/{{file}}", _static, NOTHING, About.STORE),
        *(
            Route(
                page.method,
                f"{_ROOT}{page.path}",
                with_refusals(base, gate.opened(page)),
                NOTHING,
                page.about,
                deep=page.path == "/{rest}",
            )
            for page in pages
        ),
    )


def _to_the_root(base: str) -> Handler:
    """Return what leads to the overview whoever ends its address with a slash."""

    async def led(_: Wired, request: web.Request) -> web.StreamResponse:
        query = request.rel_url.raw_query_string
        return redirect(request, f"{base}?{query}" if query else base, 308)

    return led


async def _static(_: Wired, request: web.Request) -> web.StreamResponse:
    """Return a file that pages load."""
    path = static_files().get(request.match_info["file"])
    if path is None:
        raise web.HTTPNotFound
    # Pages name a file with the digest of what is in it.
    caching = "public, max-age=31536000, immutable" if "v" in request.query else "no-cache"
    return release_file(request, path, {**PAGE_HEADERS, CACHE_CONTROL: caching})


async def _nothing(_: Visit) -> web.StreamResponse:
    raise NotFoundError("There is no page at this address. Choose one from the menu.")

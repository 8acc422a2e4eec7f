"""The console's pages as HTML, with the headers that keep scripts of others away."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from aiohttp import web
from aiohttp.hdrs import CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..http.listener.json_response import REQUEST_ID
from ..http.listener.large_bodies import LargeBodies
from ..http.request_ids import request_id_of
from ..wire.codec import wire_time
from .notices import NOTICES

_FOLDER = Path(__file__).parent
HTML = "text/html; charset=utf-8"
# Scripts, styles and pictures come from files of ours alone, and no other page may show one of these.
PAGE_HEADERS: Mapping[str, str] = {
    CONTENT_SECURITY_POLICY: "default-src 'self'; object-src 'none'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'",
    CACHE_CONTROL: "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@cache
def pages() -> Environment:
    """Return the templates of all pages; what a person wrote is shown as text."""
    environment = Environment(
        loader=FileSystemLoader(_FOLDER / "html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["wire_time"] = _wire_time
    environment.globals["asset"] = _asset
    environment.globals["notices"] = NOTICES
    parts = environment.get_template("parts.html").module
    environment.globals |= {
        name: getattr(parts, name) for name in dir(parts) if not name.startswith("_")
    }
    return environment


class Compiling:
    """Compiles every template before the first page is shown, beside the event loop (C-94)."""

    def __init__(self) -> None:
        self._done: asyncio.Future[None] | None = None

    async def wait(self) -> None:
        """Wait until all templates are compiled; the first who waits starts it."""
        if self._done is None:
            self._done = asyncio.ensure_future(asyncio.to_thread(_compile_pages))
        # A visitor who goes away does not end it for the others.
        await asyncio.shield(self._done)


def _compile_pages() -> None:
    environment = pages()
    for name in environment.list_templates(extensions=["html"]):
        environment.get_template(name)


class PageAnswer(web.Response):
    """A page that the gate renders beside the event loop: how long it takes is up to what it shows (C-94)."""

    def __init__(
        self, request: web.Request, template: str, facts: Mapping[str, Any], status: int
    ) -> None:
        super().__init__(status=status, headers=_headers(request))
        self._text_of = partial(rendered, template, facts)

    async def render(self, beside: LargeBodies) -> None:
        """Make its body."""
        self.body = await beside.do(lambda: self._text_of().encode())


def rendered(template: str, facts: Mapping[str, Any]) -> str:
    """Return a page, or a part of one."""
    return pages().get_template(template).render(facts)


def page_response(
    request: web.Request, template: str, facts: Mapping[str, Any], status: int = 200
) -> web.Response:
    """Answer with a page that shows little, rendered at once."""
    body = rendered(template, facts).encode()
    return web.Response(body=body, status=status, headers=_headers(request))


def _headers(request: web.Request) -> Mapping[str, str]:
    return {**PAGE_HEADERS, CONTENT_TYPE: HTML, REQUEST_ID: request_id_of(request)}


def redirect(request: web.Request, address: str, status: int = 303) -> web.Response:
    """Lead on to an address; after a form, browsers read it by GET."""
    headers = {LOCATION: address, CACHE_CONTROL: "no-store", REQUEST_ID: request_id_of(request)}
    return web.Response(status=status, headers=headers)


@cache
def static_files() -> Mapping[str, Path]:
    """Return the files that pages load, by their names."""
    folder = _FOLDER / "static"
    found = (path for path in folder.rglob("*") if path.suffix in (".css", ".js", ".svg"))
    return {path.name: path for path in found}


@cache
def _asset(name: str) -> str:
    """Return the name of a file with the digest of what is in it, so that browsers may keep it."""
    digest = hashlib.sha256(static_files()[name].read_bytes()).hexdigest()
    return f"{name}?v={digest[:16]}"


def _wire_time(at: datetime | str) -> str:
    return wire_time(at) if isinstance(at, datetime) else at

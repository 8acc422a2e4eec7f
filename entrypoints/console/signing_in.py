"""Signing in with a token, and out (C-85)."""

from __future__ import annotations

from urllib.parse import unquote, urlencode

from aiohttp import web
from aiohttp.hdrs import CACHE_CONTROL, METH_GET

from ...application.errors import UnavailableError
from ...application.ports.event_store import StoreUnavailable
from ...domain.accounts.api_key import UnauthorizedError
from ...domain.errors import DomainError, RateLimitedError
from ..http.listener.client_address import client_of
from ..http.listener.json_response import REQUEST_ID
from ..http.listener.large_bodies import LARGE
from ..http.request_ids import request_id_of
from ..http.statuses import STATUSES
from ..wired import Wired
from .cookies import CSRF_FIELD, Cookies, check_csrf, csrf_of, new_visitor
from .forms import posted
from .notices import NOTICES
from .refusals import note_refusal
from .rendering import Compiling, page_response, redirect

_HX_REQUEST, _HX_REDIRECT = "HX-Request", "HX-Redirect"


def to_login(request: web.Request, base: str, *, ended: bool = False) -> web.Response:
    """Lead to the log-in, and from there back to the page that was asked for."""
    path = request.raw_path[request.raw_path.index("/console") + len("/console") :]
    query: dict[str, str] = {}
    if request.method == METH_GET and path:
        query["next"] = path
    if ended:
        query["done"] = "session-ended"
    address = f"{base}/login" + (f"?{urlencode(query)}" if query else "")
    if _HX_REQUEST in request.headers:
        # htmx would put the page of the log-in into a part of this one.
        headers = {_HX_REDIRECT: f"{base}/login", CACHE_CONTROL: "no-store"}
        return web.Response(status=204, headers={**headers, REQUEST_ID: request_id_of(request)})
    return redirect(request, address)


class SigningIn:
    """The page of the log-in, and what its form and that of the log-out post to."""

    def __init__(self, base: str, cookies: Cookies, compiling: Compiling) -> None:
        self._base = base
        self._cookies = cookies
        self._compiling = compiling

    async def show(self, _: Wired, request: web.Request) -> web.StreamResponse:
        """Show the form."""
        await self._compiling.wait()
        return self._page(request, request.query.get("next", ""))

    async def sign_in(self, service: Wired, request: web.Request) -> web.StreamResponse:
        """Begin a session with a token; wrong ones are counted by client (C-85)."""
        await self._compiling.wait()
        form = await posted(request, LARGE)
        beyond = form.get("next")
        try:
            check_csrf(request, self._cookies.visitor(request), form.get(CSRF_FIELD))
            new = await service.console_sessions.begin(
                form.get("token"), client_of(request), request_id_of(request)
            )
        except UnauthorizedError as refusal:
            wrong = "This token opens nothing. It may be misspelt, expired or revoked."
            return self._page(request, beyond, wrong, refusal)
        except RateLimitedError as refusal:
            minutes = -(-refusal.retry_after_seconds // 60)
            wrong = (
                f"There were too many wrong tokens from your address. Try again in {minutes} min."
            )
            return self._page(request, beyond, wrong, refusal)
        except StoreUnavailable:
            refused = UnavailableError()
            return self._page(request, beyond, refused.message, refused)
        except DomainError as refusal:
            return self._page(request, beyond, refusal.message, refusal)
        if (earlier := self._cookies.session(request)) is not None:
            await service.console_sessions.end(earlier, request_id_of(request))
        answer = redirect(request, f"{self._base}{_inside(beyond)}")
        self._cookies.set_session(answer, new.secret)
        return answer

    async def sign_out(self, service: Wired, request: web.Request) -> web.StreamResponse:
        """End the session."""
        form = await posted(request, LARGE)
        secret = self._cookies.session(request)
        if secret is not None:
            check_csrf(request, secret, form.get(CSRF_FIELD))
            await service.console_sessions.end(secret, request_id_of(request))
        answer = redirect(request, f"{self._base}/login?done=signed-out")
        self._cookies.drop_session(answer)
        return answer

    def _page(
        self, request: web.Request, beyond: str, wrong: str = "", refusal: DomainError | None = None
    ) -> web.Response:
        known = self._cookies.visitor(request)
        visitor = known or new_visitor()
        facts = {
            "base": self._base,
            "next": beyond,
            "wrong": wrong,
            "notice": NOTICES.get(request.query.get("done", ""), ""),
            "csrf_field": CSRF_FIELD,
            "csrf_text": csrf_of(visitor),
        }
        status = 200 if refusal is None else STATUSES[refusal.code]
        answer = page_response(request, "login.html", facts, status)
        if not known:
            self._cookies.set_visitor(answer, visitor)
        if refusal is not None:
            note_refusal(request, answer, refusal)
        return answer


def _inside(path: str) -> str:
    """Return a path below the console; whatever might lead elsewhere becomes the first page."""
    plain = path.startswith("/") and not path.startswith("//") and path.isascii()
    # Browsers read a dot in either spelling, and would leave the console by two of them.
    up = ".." in unquote(path.partition("?")[0])
    return path if plain and path.isprintable() and "\\" not in path and not up else ""

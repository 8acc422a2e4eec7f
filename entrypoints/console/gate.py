"""The gate of the console: a page is open to sessions whose token has what its row in the table needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.hdrs import ACCEPT, METH_GET, METH_POST

from ...application.errors import UnavailableError
from ...application.paging import Paging
from ...application.ports.event_store import StoreUnavailable
from ...domain.errors import DomainError, RetryLaterError
from ..http.edge import REFUSAL
from ..http.operator_handlers import account_filter
from ..http.request_ids import request_id_of
from ..http.route import About
from ..http.statuses import STATUSES
from ..wired import Wired
from .cookies import CSRF_FIELD, Cookies, check_csrf
from .forms import posted
from .page import Page
from .rendering import Compiling, page_response
from .signing_in import to_login
from .visit import MOST_TO_CHOOSE_FROM, Visit

Handler = Callable[[Wired, web.Request], Awaitable[web.StreamResponse]]
_TO_CHOOSE_FROM = Paging(page_size=MOST_TO_CHOOSE_FROM + 1)


class ConsoleGate:
    """Opens pages below `base`, the path of the console as browsers see it."""

    def __init__(self, base: str, cookies: Cookies, compiling: Compiling) -> None:
        self._base = base
        self._cookies = cookies
        self._compiling = compiling

    def opened(self, page: Page) -> Handler:
        """Return the handler of a page, behind what its row needs."""

        async def opened(service: Wired, request: web.Request) -> web.StreamResponse:
            await self._compiling.wait()
            try:
                return await self._answer(service, request, page)
            except DomainError as refusal:
                return self._refused(request, refusal)
            except StoreUnavailable:
                return self._refused(request, UnavailableError())

        return opened

    async def _answer(self, service: Wired, request: web.Request, page: Page) -> web.StreamResponse:
        secret = self._cookies.session(request)
        sessions = service.console_sessions
        session = None
        if secret:
            using = not _by_itself(request)
            session = await sessions.find(secret, request_id_of(request), using=using)
        if secret is None or session is None:
            return to_login(request, self._base, ended=secret is not None)
        form = None
        if page.method == METH_POST:
            form = await posted(request)
            check_csrf(request, secret, form.get(CSRF_FIELD))
        session.operator.require(page.needs, whole_store=page.about is About.STORE)
        by = session.operator.caller
        visit = Visit(
            service,
            request,
            session,
            self._base,
            await account_filter(service, by, request),
            (await service.accounts.list(by, _TO_CHOOSE_FROM)).data,
            secret,
            form,
        )
        return await page.show(visit)

    def _refused(self, request: web.Request, refusal: DomainError) -> web.Response:
        request[REFUSAL] = refusal.code
        facts = {"base": self._base, "refusal": refusal, "request_id": request_id_of(request)}
        answer = page_response(request, "refused.html", facts, STATUSES[refusal.code])
        if isinstance(refusal, RetryLaterError | UnavailableError):
            answer.headers["Retry-After"] = str(refusal.retry_after_seconds)
        return answer


def _by_itself(request: web.Request) -> bool:
    """
    Return whether an open page asks, and nobody at it: a stream of events, or a part that was told of one.

    A page that is left open must not keep its session from ending.
    """
    asks = "HX-Request" in request.headers or "text/event-stream" in request.headers.get(ACCEPT, "")
    return request.method == METH_GET and asks

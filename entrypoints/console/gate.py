"""The gate of the console: it opens a page to tokens that have what the page's row needs (D-480)."""

from __future__ import annotations

from aiohttp import web
from aiohttp.hdrs import METH_GET, METH_POST

from ..http.listener.large_bodies import LargeBodies
from ..http.operator_handlers import account_filter
from ..http.request_ids import request_id_of
from ..http.route import About
from ..wired import Wired
from .cookies import CSRF_FIELD, Cookies, check_csrf
from .forms import posted
from .page import Page
from .refusals import Handler
from .rendering import Compiling, PageAnswer
from .signing_in import to_login
from .visit import TO_CHOOSE_FROM, Visit, shows_a_whole_page


class ConsoleGate:
    """Opens pages below `base`, the path of the console as browsers see it."""

    def __init__(self, base: str, cookies: Cookies, compiling: Compiling) -> None:
        self._base = base
        self._cookies = cookies
        self._compiling = compiling
        self._rendering = LargeBodies()

    def opened(self, page: Page) -> Handler:
        """Return the handler of a page, behind what its row needs."""

        async def opened(service: Wired, request: web.Request) -> web.StreamResponse:
            await self._compiling.wait()
            return await self._answer(service, request, page)

        return opened

    async def _answer(self, service: Wired, request: web.Request, page: Page) -> web.StreamResponse:
        secret = self._cookies.session(request)
        sessions = service.console_sessions
        session = None
        if secret:
            # A page that is left open must not keep its session from ending.
            using = request.method != METH_GET or shows_a_whole_page(request)
            session = await sessions.find(secret, request_id_of(request), using=using)
        if secret is None or session is None:
            return to_login(request, self._base, ended=secret is not None)
        form = None
        if page.method == METH_POST:
            form = await posted(request, page.most)
            check_csrf(request, secret, form.get(CSRF_FIELD))
        session.operator.require(page.needs, whole_store=page.about is About.STORE)
        by = session.operator.caller
        whole = shows_a_whole_page(request)
        visit = Visit(
            service,
            request,
            session,
            self._base,
            await account_filter(service, by, request),
            (await service.accounts.list(by, TO_CHOOSE_FROM)).data if whole else None,
            secret,
            form,
        )
        answer = await page.show(visit)
        if isinstance(answer, PageAnswer):
            await answer.render(self._rendering)
        return answer

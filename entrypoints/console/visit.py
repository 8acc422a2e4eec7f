"""One request of somebody who signed in, as the pages see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from aiohttp import web
from aiohttp.hdrs import ACCEPT
from attrs import field, frozen
from markupsafe import Markup

from ...application.accounts.views import AccountView
from ...application.caller import Caller
from ...application.operators.console_sessions import OpenSession
from ...application.paging import Listed, Paging
from ...domain.accounts.token_role import TokenRole
from ..http.route import About
from ..wire.masked_records import shown_to
from ..wired import Wired
from .cookies import CSRF_FIELD, csrf_of
from .forms import Form
from .navigation import sections
from .rendering import PageAnswer, pages, redirect, rendered

# Whoever has more accounts writes the name of one, in place of choosing it from a list.
MOST_TO_CHOOSE_FROM = 99
TO_CHOOSE_FROM = Paging(page_size=MOST_TO_CHOOSE_FROM + 1)
_ONE_AND_ANOTHER = Paging(page_size=2)


def shows_a_whole_page(request: web.Request) -> bool:
    """
    Return whether somebody asks for a page, and not an open page for a stream of events or a part.

    htmx asks for whole pages, too: when its visitor goes back to one that it does not keep.
    """
    if "text/event-stream" in request.headers.get(ACCEPT, ""):
        return False
    return "HX-Request" not in request.headers or "HX-History-Restore-Request" in request.headers


@frozen
class Visit:
    """
    A request, its session, and the account that it is about; `listed` are the newest, to choose from.

    `account_id` is None for all accounts, which a bound token never sees. `base` is the path of the
    console as browsers see it. Only a whole page lists accounts; `listed` is else None.
    """

    service: Wired
    request: web.Request
    session: OpenSession
    base: str
    account_id: str | None
    listed: Sequence[AccountView] | None
    _secret: str = field(repr=False)
    _form: Form | None = None

    @property
    def by(self) -> Caller:
        """The token, as the actor of what the page does."""
        return self.session.operator.caller

    @property
    def role(self) -> TokenRole:
        """The role of the token."""
        return self.session.operator.role

    @property
    def account(self) -> str | None:
        """The account as the address of the page names it."""
        return self.request.query.get("account") or None

    @property
    def accounts(self) -> Sequence[AccountView]:
        """The accounts to choose from, and one more if there are too many; none in a part of a page."""
        return self.listed or ()

    async def only_account(self) -> AccountView | None:
        """Return the account of a token that sees no other, among which there is no choice."""
        found = self.listed
        if found is None:
            found = (await self.service.accounts.list(self.by, _ONE_AND_ANOTHER)).data
        return found[0] if len(found) == 1 else None

    @property
    def account_names(self) -> Sequence[str] | None:
        """The accounts to choose from; None if there are too many for a choice."""
        if len(self.accounts) > MOST_TO_CHOOSE_FROM:
            return None
        return [each.name for each in self.accounts]

    def may(self, role: TokenRole, about: About = About.ACCOUNT) -> bool:
        """Return whether the token opens what needs a role."""
        return self.session.operator.may(role, whole_store=about is About.STORE)

    @property
    def form(self) -> Form:
        """The fields that the request posts; none for a page that is only looked at."""
        return self._form or Form({})

    def href(self, path: str, **query: Any) -> str:
        """Return the address of a page, about the same account unless `account` is given."""
        given = {"account": self.account, **query}
        wanted = {name: value for name, value in given.items() if value not in (None, "")}
        return f"{self.base}{path}" + (f"?{urlencode(wanted, doseq=True)}" if wanted else "")

    def here(self, **changed: Any) -> str:
        """Return the address of this page with some parameters changed; None leaves one out."""
        query: dict[str, Any] = {
            name: self.request.query.getall(name) for name in self.request.query
        }
        return self.href(self.path, **{**query, "done": None, **changed})

    @property
    def moves_a_part(self) -> bool:
        """Whether htmx asks for a part of a page, and not somebody for a page."""
        return not shows_a_whole_page(self.request)

    @property
    def path(self) -> str:
        """The path of the page below the console."""
        path = self.request.path
        return path[path.index("/console") + len("/console") :]

    def is_in(self, section: str) -> bool:
        """Return whether the page is in an area of the menu."""
        inside = self.path == section or self.path.startswith(f"{section}/")
        return inside if section else self.path == ""

    def kept_query(self) -> Sequence[tuple[str, str]]:
        """Return the parameters that stay when another account is chosen."""
        left = ("account", "page", "done")
        return [(name, text) for name, text in self.request.query.items() if name not in left]

    async def names_of(self, ids: Iterable[str | None]) -> Mapping[str, str]:
        """Return the names of what has these ids, as far as the token sees it; `accounts` may lack some."""
        return await self.service.naming.of(self.by, {each for each in ids if each is not None})

    def shown(self, record: Any) -> dict[str, Any]:
        """Return a record as the API shows it to this token."""
        wire: dict[str, Any] = shown_to(self.by, record)
        return wire

    def show(self, template: str, /, *, status: int = 200, **facts: Any) -> web.Response:
        """Answer with a page, which the gate renders."""
        return PageAnswer(self.request, template, {**self._common(), **facts}, status)

    def rendered(self, template: str, /, **facts: Any) -> str:
        """Return a page that shows little, for an answer that grows."""
        return rendered(template, {**self._common(), **facts})

    def redirect(self, path: str, *, done: str | None = None, **query: Any) -> web.Response:
        """Lead on to a page after a form has done its work; `done` names a notice."""
        return redirect(self.request, self.href(path, done=done, **query))

    def _common(self) -> dict[str, Any]:
        return {
            "visit": self,
            "href": self.href,
            "here": self.here,
            "csrf": self._csrf,
            "pager": self._pager,
            "role": TokenRole,
            "about": About,
            "sections": sections(self.may, sandbox=self.service.sandbox is not None),
            "done": self.request.query.get("done", ""),
        }

    def _csrf(self) -> Markup:
        text = csrf_of(self._secret)
        return Markup('<input type="hidden" name="{}" value="{}">').format(CSRF_FIELD, text)

    def _pager(self, listed: Listed[Any]) -> Markup:
        template = pages().get_template("pager.html")
        return Markup(template.render(listed=listed, here=self.here))  # noqa: S704  a template of ours, which escapes

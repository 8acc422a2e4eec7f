"""A row of the routes' table: where a route stands, what it needs, and what it reads of a query (D-178)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from enum import Enum, auto

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler
from attrs import AttrsInstance, frozen

from ...domain.accounts.api_key import Scope
from ...domain.accounts.token_role import TokenRole

PAGE = ("page", "pageSize")


class About(Enum):
    """What a route shows or changes: a token that is bound to an account opens no route about the store."""

    ACCOUNT = auto()
    STORE = auto()


@frozen
class AccountKey:
    """An account's API key in a header; `within_200` is how the media endpoints refuse one (C-8)."""

    scope: Scope
    header: str
    within_200: bool = False


@frozen
class LegacyToken:
    """A token of the legacy platform's login (C-42)."""


@frozen
class OperatorToken:
    """An operator's token that has a role (C-35)."""

    role: TokenRole


@frozen
class SandboxAccess:
    """A loopback name, or the operator's token where the sandbox is public (C-4, C-65)."""


@frozen
class Nothing:
    """Neither key nor token: anybody may call."""


Needs = AccountKey | LegacyToken | OperatorToken | SandboxAccess | Nothing

KEY_FOR_PINS = AccountKey(Scope.PINS, hdrs.AUTHORIZATION)
KEY_FOR_MESSAGES = AccountKey(Scope.MESSAGING, "apikey")
KEY_FOR_MEDIA = AccountKey(Scope.MESSAGING, "apikey", within_200=True)
LEGACY_TOKEN = LegacyToken()
# Which of them a route needs follows C-104 (D-489).
READ = OperatorToken(TokenRole.AUDITOR)
ACT = OperatorToken(TokenRole.OPERATOR)
ALL = OperatorToken(TokenRole.ADMIN)
SANDBOX = SandboxAccess()
NOTHING = Nothing()


@frozen
class Route:
    """
    One row of the table.

    `handler` gets the service (a route of the sandbox: the sandbox), the request and, where the route
    needs a key or a token, its caller. `query` names the parameters that it reads; all but `several`
    may come once. `search` is the class that declares those of them that are filters, or of
    the `members` of its body. A `bodiless`
    route reads no body, so that members of one are unknown. A route that `names_people` settles the request's
    id when it knows them (`request_ids.py`). The last parameter of a `deep` path may have slashes.
    """

    method: str
    path: str
    handler: Callable[..., Awaitable[web.StreamResponse]]
    needs: Needs
    about: About
    query: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    bodiless: bool = False
    search: type[AttrsInstance] | None = None
    members: tuple[str, ...] = ()
    names_people: bool = False
    deep: bool = False

    @property
    def pattern(self) -> str:
        """The path as aiohttp matches it."""
        return f"{self.path[:-1]}:.+}}" if self.deep else self.path


# The rows of an application, by the handlers that its router calls.
TABLE = web.AppKey("table", dict[Handler, Route])


def route_of(request: web.Request) -> Route | None:
    """Return the row of a request's route; None where there is nothing at its path."""
    return request.app[TABLE].get(request.match_info.handler)

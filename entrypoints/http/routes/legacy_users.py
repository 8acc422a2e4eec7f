"""Who may log in to the legacy platform, for operators (C-35, D-100)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...wire.typed_requests import NewLegacyUser
from ...wiring import Wired
from ..operating import ACCOUNT_AND_PAGE, acting, acting_for, listing, record_answer
from ..requests import body_as
from ..route import ACT, ALL, READ, About, Route

_ALL = "/admin/v1/legacy-users"
_ONE = f"{_ALL}/{{id}}"


async def create(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Create a user; no answer shows the password again."""
    body = await body_as(request, NewLegacyUser)
    by_account = await acting_for(service, by, body.account)
    created = await service.legacy_users.create(
        by_account, email=body.email, password=body.password
    )
    return record_answer(by, created, 201)


_list = listing(lambda service: service.legacy_users.list)
_remove = acting(lambda service: service.legacy_users.remove)
_revoke = acting(lambda service: service.legacy_users.revoke_tokens)

LEGACY_USER_ROUTES = (
    Route("POST", _ALL, create, ALL, About.ACCOUNT),
    Route("GET", _ALL, _list, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("DELETE", _ONE, _remove, ACT, About.ACCOUNT, bodiless=True),
    Route("DELETE", f"{_ONE}/tokens", _revoke, ACT, About.ACCOUNT, bodiless=True),
)

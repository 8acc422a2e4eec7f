"""Operators' tokens: made, listed and revoked by admins; and who the caller is (C-84)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...wire.operator_tokens import NewToken, shown_new_token, whoami
from ...wired import Wired
from ..authentication import OPERATOR
from ..operator_handlers import ACCOUNT_AND_PAGE, acting, listing, record_answer
from ..requests import body_as
from ..route import ALL, READ, About, Route

_TOKENS = "/admin/v1/tokens"


async def create(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Create a token and show it, once; a misspelt `account` must not open all accounts (D-545)."""
    body = await body_as(request, NewToken)
    account = body.account
    created = await service.operator_tokens.create(
        by,
        body.name,
        role=body.role,
        account_id=None if account is None else await service.accounts.resolve(by, account),
        clear=body.clear,
        expires_at=body.expires_at,
    )
    return record_answer(by, shown_new_token(created), 201)


async def show(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show a token's record."""
    return record_answer(by, await service.operator_tokens.get(by, request.match_info["id"]))


async def who_am_i(_: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show whose token the request carries."""
    return record_answer(by, whoami(request[OPERATOR]))


_list = listing(lambda service: service.operator_tokens.list)
_revoke = acting(lambda service: service.operator_tokens.revoke)

# Tokens are about the store, even those that are bound to an account.
TOKEN_ROUTES = (
    Route("POST", _TOKENS, create, ALL, About.STORE),
    Route("GET", _TOKENS, _list, READ, About.STORE, ACCOUNT_AND_PAGE),
    Route("GET", f"{_TOKENS}/{{id}}", show, READ, About.STORE),
    Route("DELETE", f"{_TOKENS}/{{id}}", _revoke, ALL, About.STORE, bodiless=True),
    Route("GET", "/admin/v1/whoami", who_am_i, READ, About.ACCOUNT),
)

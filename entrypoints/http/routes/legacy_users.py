"""Who may log in to the legacy platform, for operators (C-35, D-100)."""

from __future__ import annotations

from aiohttp import web

from ...typed_requests import NewLegacyUser
from ...wiring import Wired
from ..answers import list_answer
from ..authentication import admin_caller
from ..operating import account_filter, acting_for, record_answer
from ..requests import body_as, paging_of

_ROOT = "/admin/v1/legacy-users"


class LegacyUserRoutes:
    """Users and their tokens, under `/admin/v1/legacy-users`; the admin token opens them."""

    def __init__(self, service: Wired, admin_token: str) -> None:
        self._service = service
        self._users = service.legacy_users
        self._token = admin_token

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            web.post(_ROOT, self.create),
            web.get(_ROOT, self.list),
            web.delete(f"{_ROOT}/{{id}}", self.remove),
            web.delete(f"{_ROOT}/{{id}}/tokens", self.revoke_tokens),
        ]

    async def create(self, request: web.Request) -> web.Response:
        """Create a user; the password is told nobody again."""
        by = admin_caller(request, self._token)
        body = await body_as(request, NewLegacyUser)
        by_account = await acting_for(self._service, by, body.account)
        created = await self._users.create(by_account, email=body.email, password=body.password)
        return record_answer(by, created, 201)

    async def list(self, request: web.Request) -> web.Response:
        """List users."""
        by = admin_caller(request, self._token)
        account_id = await account_filter(self._service, request)
        listed = await self._users.list(account_id, paging_of(request))
        return list_answer(listed).response(by.request_id)

    async def remove(self, request: web.Request) -> web.Response:
        """Remove a user, and make all tokens void."""
        by = admin_caller(request, self._token)
        return record_answer(by, await self._users.remove(by, request.match_info["id"]), 200)

    async def revoke_tokens(self, request: web.Request) -> web.Response:
        """Make all tokens of a user void."""
        by = admin_caller(request, self._token)
        return record_answer(by, await self._users.revoke_tokens(by, request.match_info["id"]), 200)

"""Who may log in to the legacy platform, for operators (C-35, D-100)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...typed_requests import NewLegacyUser
from ...wiring import Wired
from ..operating import Operators, acting_for, record_answer, records_answer
from ..query_names import PAGE, bodiless, takes
from ..requests import body_as

_ROOT = "legacy-users"


class LegacyUserRoutes:
    """Users and their tokens, under `/admin/v1/legacy-users`."""

    def __init__(self, service: Wired, operators: Operators) -> None:
        self._service = service
        self._users = service.legacy_users
        self._operators = operators

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return self._operators.table(
            (
                (web.post, _ROOT, self.create),
                (web.get, _ROOT, self.list),
                (web.delete, f"{_ROOT}/{{id}}", self.remove),
                (web.delete, f"{_ROOT}/{{id}}/tokens", self.revoke_tokens),
            )
        )

    async def create(self, request: web.Request, by: Caller) -> web.Response:
        """Create a user; the password is told nobody again."""
        body = await body_as(request, NewLegacyUser)
        by_account = await acting_for(self._service, by, body.account)
        created = await self._users.create(by_account, email=body.email, password=body.password)
        return record_answer(by, created, 201)

    @takes("account", *PAGE)
    async def list(self, request: web.Request, by: Caller) -> web.Response:
        """List users."""
        return await records_answer(request, by, self._service, self._users.list)

    @bodiless
    async def remove(self, request: web.Request, by: Caller) -> web.Response:
        """Remove a user, and make all tokens void."""
        return record_answer(by, await self._users.remove(by, request.match_info["id"]))

    @bodiless
    async def revoke_tokens(self, request: web.Request, by: Caller) -> web.Response:
        """Make all tokens of a user void."""
        return record_answer(by, await self._users.revoke_tokens(by, request.match_info["id"]))

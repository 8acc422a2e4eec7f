"""What operators take out of strangers' reach: short links and hosted media (C-95)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...wiring import Wired
from ..operating import Operators, record_answer, records_answer
from ..query_names import PAGE, bodiless, takes


class LeverRoutes:
    """Levers on what anybody can fetch, under `/admin/v1`."""

    def __init__(self, service: Wired, operators: Operators) -> None:
        self._service = service
        self._operators = operators

    def table(self) -> list[web.RouteDef]:
        """Return the routes."""
        return self._operators.table(
            (
                (web.post, "short-links/{code}/disable", self.disable_link),
                (web.post, "short-links/{code}/enable", self.enable_link),
                (web.get, "media", self.media),
                (web.delete, "media/{id}", self.remove_medium),
            )
        )

    @bodiless
    async def disable_link(self, request: web.Request, by: Caller) -> web.Response:
        """Lead nobody on by a short link."""
        code = request.match_info["code"]
        return record_answer(by, await self._service.short_links.disable(by, code))

    @bodiless
    async def enable_link(self, request: web.Request, by: Caller) -> web.Response:
        """Lead on by a short link again."""
        code = request.match_info["code"]
        return record_answer(by, await self._service.short_links.enable(by, code))

    @takes("account", *PAGE)
    async def media(self, request: web.Request, by: Caller) -> web.Response:
        """List hosted media."""
        return await records_answer(request, by, self._service, self._service.hosted_media.list)

    @bodiless
    async def remove_medium(self, request: web.Request, by: Caller) -> web.Response:
        """Remove a medium and its file."""
        media_id = request.match_info["id"]
        return record_answer(by, await self._service.removing_media.remove(by, media_id))

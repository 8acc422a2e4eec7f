"""Where providers report in: `POST /callbacks/{channelAccountId}` (C-34)."""

from __future__ import annotations

from aiohttp import web

from ...codec import encode
from ...sandbox_phones import PROVIDER as SANDBOX
from ...wiring import Wired
from ..answers import Answer
from ..bodies import read_body
from ..edge import request_id_of
from ..sandbox_guard import SandboxGuard


class ProviderWebhookRoutes:
    """No key opens it: adapters check signatures, and the sandbox, which has none, its guard (D-46)."""

    def __init__(self, service: Wired, sandbox_guard: SandboxGuard) -> None:
        self._service = service
        self._sandbox_guard = sandbox_guard

    def table(self) -> list[web.RouteDef]:
        """Give the route."""
        return [web.post("/callbacks/{channelAccountId}", self.report)]

    async def report(self, request: web.Request) -> web.Response:
        """Take what a provider posts, in whatever form is its own."""
        channel_account_id = request.match_info["channelAccountId"]
        account = await self._service.channel_accounts.get(channel_account_id)
        if account.provider == SANDBOX and self._service.sandbox is not None:
            self._sandbox_guard.check(request)
        body = await read_body(request)
        request_id = request_id_of(request)
        await self._service.hearing_providers.hear(
            channel_account_id, request.headers, body, request_id
        )
        return Answer(200, encode({"status": "success"})).response(request_id)

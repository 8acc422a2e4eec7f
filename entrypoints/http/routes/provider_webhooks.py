"""Where providers report in: `POST /callbacks/{channelAccountId}` (C-34)."""

from __future__ import annotations

from aiohttp import web

from ...callback_addresses import CALLBACK_PATH
from ...sandbox.phones import PROVIDER as SANDBOX
from ...wire.codec import encode
from ...wired import Wired
from ..answers import Answer
from ..edge import request_id_of
from ..listener.bodies import read_body
from ..route import NOTHING, About, Route
from ..sandbox_guard import SANDBOX_GUARD


async def report(service: Wired, request: web.Request) -> web.Response:
    """Take what a provider posts, in whatever form is its own."""
    channel_account_id = request.match_info["channelAccountId"]
    account = await service.channel_accounts.get(channel_account_id)
    if account.provider == SANDBOX and service.sandbox is not None:
        request.app[SANDBOX_GUARD].check(request)
    body = await read_body(request)
    request_id = request_id_of(request)
    await service.provider_webhooks.receive(channel_account_id, request.headers, body, request_id)
    return Answer(200, encode({"status": "success"})).response(request_id)


# Adapters check signatures; the sandbox's provider has none, and goes by its guard (D-46).
PROVIDER_WEBHOOK_ROUTES = (Route("POST", CALLBACK_PATH, report, NOTHING, About.ACCOUNT),)

"""Channel accounts and providers, as operators set them up (C-35, C-63, C-66)."""

from __future__ import annotations

from aiohttp import web

from ....application.caller import Caller
from ...wire.channel_webhooks import shown
from ...wire.codec import unstructure
from ...wire.typed_requests import ChannelAccountChange, NewChannelAccount, channel_facts
from ...wired import Wired
from ..operator_handlers import ACCOUNT_AND_PAGE, acting, creating, listing, record_answer
from ..requests import json_read
from ..route import ACT, READ, About, Route

_PROVIDERS = "/admin/v1/providers"
_ALL = "/admin/v1/channel-accounts"
_ONE = f"{_ALL}/{{id}}"


async def list_providers(service: Wired, _: web.Request, by: Caller) -> web.Response:
    """List the providers, with the settings that a channel account of each is asked for."""
    found = [unstructure(each) for each in service.channel_accounts.providers()]
    return record_answer(by, {"data": found})


async def get(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show one channel account."""
    return record_answer(by, await service.channel_accounts.get(by, request.match_info["id"]))


async def update(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Change a channel account."""
    raw, body = await json_read(request, ChannelAccountChange)
    changed = await service.revising_channel_accounts.update(
        by, request.match_info["id"], body.patch(raw)
    )
    return record_answer(by, changed)


async def set_webhook(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Have the provider post to the account's address, or say where people enter it."""
    return record_answer(
        by, shown(await service.setting_webhooks.set(by, request.match_info["id"]))
    )


_create = creating(
    NewChannelAccount,
    lambda service, by, body: service.channel_accounts.create(by, **channel_facts(body)),
)
_list = listing(lambda service: service.channel_accounts.list)
_enable = acting(lambda service: service.revising_channel_accounts.enable)
_disable = acting(lambda service: service.revising_channel_accounts.disable)

CHANNEL_ACCOUNT_ROUTES = (
    Route("GET", _PROVIDERS, list_providers, READ, About.ACCOUNT),
    Route("POST", _ALL, _create, ACT, About.ACCOUNT),
    Route("GET", _ALL, _list, READ, About.ACCOUNT, ACCOUNT_AND_PAGE),
    Route("GET", _ONE, get, READ, About.ACCOUNT),
    Route("PATCH", _ONE, update, ACT, About.ACCOUNT),
    Route("POST", f"{_ONE}/enable", _enable, ACT, About.ACCOUNT, bodiless=True),
    Route("POST", f"{_ONE}/disable", _disable, ACT, About.ACCOUNT, bodiless=True),
    Route("POST", f"{_ONE}/webhook", set_webhook, ACT, About.ACCOUNT, bodiless=True),
)

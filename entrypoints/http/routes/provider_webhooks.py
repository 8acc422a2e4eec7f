"""The routes that hear providers: `/callbacks/{channelAccountId}` (C-34, C-70)."""

from __future__ import annotations

from aiohttp import hdrs, web

from ....application.caller import PUBLIC, Caller
from ....application.ports.channels import Heard, Post
from ....domain.accounts.token_role import TokenRole
from ...addresses.callbacks import CALLBACK_PATH
from ...sandbox.phones import PROVIDER as SANDBOX
from ...wire.codec import encode
from ...wired import Wired
from ..answers import Answer
from ..listener.bodies import read_body
from ..listener.incoming_requests import path_of
from ..listener.json_response import REQUEST_ID
from ..listener.large_posts import LARGE_POSTS, MAX_POST
from ..listener.mounting import MOUNT
from ..request_ids import request_id_of, settle_unread
from ..requests import domains_of
from ..route import NOTHING, About, Route
from ..sandbox_guard import SANDBOX_GUARD

_DONE = encode({"status": "success"})
# The statuses whose answers have no body.
_BODILESS = (204, 304)
# A body repeats parts of the request, or is a text of a channel account's settings. Whoever runs an account
# must not run scripts where operators are signed in to the console.
_NO_PAGE = {
    hdrs.CONTENT_SECURITY_POLICY: "default-src 'none'; frame-ancestors 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}


async def hear(service: Wired, request: web.Request) -> web.Response:
    """Read a request with the channel account's provider, and answer once its reports are durable."""
    if request.method == hdrs.METH_HEAD:
        # What a provider says in a GET is recorded; nothing is recorded of a HEAD.
        raise web.HTTPMethodNotAllowed(request.method, (hdrs.METH_GET, hdrs.METH_POST))
    channel_account_id = request.match_info["channelAccountId"]
    account = await service.channel_accounts.get(
        Caller("", PUBLIC, request_id_of(request)), channel_account_id
    )
    if account.provider == SANDBOX and service.sandbox is not None:
        await request.app[SANDBOX_GUARD].check(request, TokenRole.OPERATOR)
    with request.app[LARGE_POSTS].place(request):
        post = Post(
            method=request.method,
            url=_called(service, request),
            headers={name.lower(): value for name, value in request.headers.items()},
            body=await read_body(request, MAX_POST),
        )
        # Only the adapter can read whose numbers a post names.
        request_id = settle_unread(request, request.rel_url.query_string.encode(), post.body)
        heard = await service.provider_webhooks.receive(channel_account_id, post, request_id)
    return _response(heard, request_id)


def _called(service: Wired, request: web.Request) -> str:
    """
    Return the address that the provider called: the public URL, the path and the raw query.

    Behind a proxy the host in the request may be another, so it is not read.
    """
    path = request.app[MOUNT].within(path_of(request))
    query = request.rel_url.raw_query_string
    return (domains_of(request, service).base_url or "") + path + (f"?{query}" if query else "")


def _response(heard: Heard, request_id: str) -> web.Response:
    if heard.content_type is None and heard.status not in _BODILESS:
        return Answer(heard.status, _DONE).response(request_id)
    headers: dict[str, str] = {REQUEST_ID: request_id}
    if heard.content_type is not None:
        headers |= {hdrs.CONTENT_TYPE: heard.content_type, **_NO_PAGE}
    return web.Response(status=heard.status, body=heard.body or None, headers=headers)


# Adapters check signatures; the sandbox's provider has none, and goes by its guard (D-46).
PROVIDER_WEBHOOK_ROUTES = (
    Route("GET", CALLBACK_PATH, hear, NOTHING, About.ACCOUNT, names_people=True),
    Route("POST", CALLBACK_PATH, hear, NOTHING, About.ACCOUNT, names_people=True),
)

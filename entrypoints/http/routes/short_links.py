"""Short links: where they lead (C-29), and whether they lead anywhere, which operators decide (C-95)."""

from __future__ import annotations

from aiohttp import hdrs, web

from ...wire.codec import encode
from ...wired import Wired
from ..answers import Answer
from ..operator_handlers import acting
from ..request_ids import request_id_of
from ..route import ACT, NOTHING, About, Route


async def follow(service: Wired, request: web.Request) -> web.StreamResponse:
    """Redirect to the address; a HEAD is not counted as a click."""
    request_id = request_id_of(request)
    url = await service.following_short_links.follow(
        request.match_info["code"], request_id, counted=request.method == hdrs.METH_GET
    )
    headers = {
        hdrs.LOCATION: url,
        hdrs.CACHE_CONTROL: "no-store",
        "Referrer-Policy": "no-referrer",
        "X-Robots-Tag": "noindex",
    }
    return Answer(302, encode({"location": url}), headers).response(request_id)


_LINK = "/admin/v1/short-links/{code}"
_disable = acting(lambda service: service.short_links.disable, "code")
_enable = acting(lambda service: service.short_links.enable, "code")

SHORT_LINK_ROUTES = (
    # Anybody may follow a code, which leads only to an address that an account registered.
    Route("GET", "/s/{code}", follow, NOTHING, About.ACCOUNT),
    Route("POST", f"{_LINK}/disable", _disable, ACT, About.ACCOUNT, bodiless=True),
    Route("POST", f"{_LINK}/enable", _enable, ACT, About.ACCOUNT, bodiless=True),
)

"""Where short links lead (C-29)."""

from __future__ import annotations

from aiohttp import hdrs, web

from ...wire.codec import encode
from ...wiring import Wired
from ..answers import Answer
from ..edge import request_id_of
from ..route import NOTHING, About, Route


async def follow(service: Wired, request: web.Request) -> web.StreamResponse:
    """Lead on to the address; a HEAD looks, and is no click."""
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


# Anybody who has the code is led on, and only to addresses that an account registered.
SHORT_LINK_ROUTES = (Route("GET", "/s/{code}", follow, NOTHING, About.ACCOUNT),)

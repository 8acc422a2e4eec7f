"""Where short links lead (C-29)."""

from __future__ import annotations

from aiohttp import hdrs, web

from ...codec import encode
from ...wiring import Wired
from ..answers import Answer
from ..edge import request_id_of


class ShortLinkRoutes:
    """No key opens it: whoever has the code is led on, and to nothing that nobody registered."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the route."""
        return [web.get("/s/{code}", self.follow)]

    async def follow(self, request: web.Request) -> web.StreamResponse:
        """Lead on to the address; a HEAD looks, and is no click."""
        request_id = request_id_of(request)
        url = await self._service.following_short_links.follow(
            request.match_info["code"], request_id, counted=request.method == hdrs.METH_GET
        )
        headers = {
            hdrs.LOCATION: url,
            hdrs.CACHE_CONTROL: "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Robots-Tag": "noindex",
        }
        return Answer(302, encode({"location": url}), headers).response(request_id)

"""Where hosted media are found by whoever has their address (C-25)."""

from __future__ import annotations

from aiohttp import web

from ..media_addresses import AddressOf, hosted_under
from ..wiring import Wired
from .requests import listening_address


def addresses_for(request: web.Request, service: Wired) -> AddressOf:
    """Give how the absolute address of a medium is told to whoever made a request (C-1)."""
    return hosted_under(service.short_domains.served_at(listening_address(request)).base_url)

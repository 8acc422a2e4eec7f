"""
A server that stores and checks nothing, to measure what two requests cost on aiohttp alone.

`python -m benchmarks.bare PHONE_PORT`
"""

from __future__ import annotations

import secrets
import sys

import msgspec
from aiohttp import web

from . import event_loop
from .listening import Phone, issued, listen, new_code, verified


async def main(phone: Phone) -> None:
    """Serve."""

    async def issue(request: web.Request) -> web.Response:
        body = msgspec.json.decode(await request.read())
        phone.send(body["destination"], new_code())
        return issued(f"pin_{secrets.token_hex(16)}")

    async def verify(request: web.Request) -> web.Response:
        msgspec.json.decode(await request.read())
        return verified(request.match_info["id"])

    await listen([web.post("/v1/pins", issue), web.post("/v1/pins/{id}/verify", verify)])


if __name__ == "__main__":
    event_loop.run(main(Phone(int(sys.argv[1]))))

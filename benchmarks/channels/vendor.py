"""
The least that an HTTP API for messages can be: it answers every request with a new id.

`python -m benchmarks.channels.vendor`
"""

from __future__ import annotations

from itertools import count

from aiohttp import web

from .. import event_loop
from ..listening import listen


async def main() -> None:
    """Serve."""
    ids = count(1)

    async def take(request: web.Request) -> web.Response:
        await request.read()
        return web.json_response({"id": f"vendor-{next(ids)}"})

    await listen([web.post("/messages", take)])


if __name__ == "__main__":
    event_loop.run(main())

"""
The least that an HTTP API for messages can be: it answers every request with a new id.

`python -m benchmarks.channels.vendor`; with `--silent` it takes messages and never answers them.
"""

from __future__ import annotations

import asyncio
import sys
from itertools import count

from aiohttp import web

from .. import event_loop
from ..listening import listen


async def main() -> None:
    """Serve."""
    ids, silent = count(1), "--silent" in sys.argv

    async def take(request: web.Request) -> web.Response:
        await request.read()
        if silent:
            await asyncio.Event().wait()
        return web.json_response({"id": f"vendor-{next(ids)}"})

    await listen([web.post("/messages", take)])


if __name__ == "__main__":
    event_loop.run(main())

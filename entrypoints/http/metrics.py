"""The metrics' own listener: `/metrics` on a port of its own, and nothing else (T29)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web
from aiohttp.hdrs import CONTENT_TYPE

from ...adapters.meters import EXPOSITION_TYPE, Meters


@asynccontextmanager
async def metrics_served(meters: Meters, host: str, port: int) -> AsyncIterator[int]:
    """Serve the metrics until the end of the block, and give the port; raises `OSError`."""

    async def metrics(_: web.Request) -> web.Response:
        # Some hundred lines take a while to write, which no request should have to wait for.
        text = await asyncio.to_thread(meters.exposition)
        return web.Response(body=text, headers={CONTENT_TYPE: EXPOSITION_TYPE})

    app = web.Application()
    app.router.add_get("/metrics", metrics)
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()

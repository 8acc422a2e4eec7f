"""A service of the command's own, for a store that no other process has open."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory

from aiohttp import UnixConnector, web
from attrs import evolve

from ..bootstrap import wired
from ..http.app import Exposure, build_app
from ..settings import Settings
from .client import Client


@asynccontextmanager
async def own_service(settings: Settings) -> AsyncIterator[Client]:
    """
    Open a store and give a client of its routes; raises what `wired` raises.

    They are served in a folder that is this user's alone, under a token that nobody else hears of
    (D-116).
    """
    token = secrets.token_urlsafe()
    # Nobody else finds a medium here, so that its address is told without a host.
    async with wired(evolve(settings, public_url=""), run_due=False) as service:
        runner = web.AppRunner(build_app(service, Exposure(admin_token=token)), access_log=None)
        await runner.setup()
        try:
            with TemporaryDirectory(prefix="watchword-") as folder:
                await web.UnixSite(runner, f"{folder}/socket").start()
                connector = UnixConnector(f"{folder}/socket")
                async with Client("http://store", token, connector) as client:
                    yield client
        finally:
            await runner.cleanup()

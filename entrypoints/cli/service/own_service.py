"""A service of the command's own, for a store that no other process has open."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory, gettempdir

from aiohttp import UnixConnector, web
from aiohttp.typedefs import Handler
from attrs import evolve

from ....domain.errors import DomainError
from ...bootstrap import reading, wired
from ...http.app import Exposure, build_app
from ...settings import Settings
from ...signals import tidy_when_ended
from .client import Client

_LONGEST_FOLDER = 70


@asynccontextmanager
async def own_service(settings: Settings, *, to_read: bool = False) -> AsyncIterator[Client]:
    """
    Open a store, perhaps only `to_read` it, and give a client of its routes.

    Raises what `wired` or `reading` raises.
    They are served in a folder that is this user's alone, under a token that nobody else hears of
    (D-116). What fails unexpectedly is raised as it is, since nobody but the user is told of it.
    """
    token = secrets.token_urlsafe()
    unexpected: list[Exception] = []

    @web.middleware
    async def keeping(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except (DomainError, web.HTTPException):
            raise
        except Exception as error:
            unexpected.append(error)
            raise web.HTTPInternalServerError from None

    # Nobody else finds a medium here, so that its address is told without a host.
    settings = evolve(settings, public_url="")
    async with reading(settings) if to_read else wired(settings, run_due=False) as service:
        app = build_app(service, Exposure(admin_token=token))
        app.middlewares.append(keeping)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            with (
                tidy_when_ended(),
                TemporaryDirectory(prefix="watchword-", dir=_short(gettempdir())) as folder,
            ):
                await web.UnixSite(runner, f"{folder}/socket").start()
                connector = UnixConnector(f"{folder}/socket")
                async with Client("http://store", token, connector) as client:
                    yield client
        except Exception:
            if unexpected:
                raise unexpected[0] from None
            raise
        finally:
            await runner.cleanup()


def _short(folder: str) -> str:
    # The path of a socket has some hundred bytes at most, wherever temporary files are.
    return folder if len(os.fsencode(folder)) <= _LONGEST_FOLDER else "/tmp"  # noqa: S108  a folder is made in it

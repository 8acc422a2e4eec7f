"""A private service on an idle store, for one command."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryDirectory, gettempdir

from aiohttp import UnixConnector, web
from aiohttp.typedefs import Handler
from attrs import evolve

from ....adapters.log_lines import RENDERERS, logging_to
from ....domain.errors import DomainError
from ...composition.bootstrap import reading, wired
from ...http.app import Exposure, build_app
from ...settings import Settings
from ...signals import tidy_when_ended
from .client import Client

_LONGEST_FOLDER = 70


@asynccontextmanager
async def own_service(settings: Settings, *, to_read: bool = False) -> AsyncIterator[Client]:
    """
    Open a store, or only read it, and yield a client of its routes.

    Raises what `wired` or `reading` raises. The service listens in a folder that only this user can
    open, with a random token (D-116). An unexpected failure is raised as it is: only the user sees it.
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

    # Nobody else can reach hosted files here, so their addresses have no host.
    settings = evolve(settings, public_url="")
    async with (
        _warnings_as_text(),
        reading(settings) if to_read else wired(settings, run_due=False) as service,
    ):
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


@asynccontextmanager
async def _warnings_as_text() -> AsyncIterator[None]:
    """Log to the user of the command, who would else read records as Python prints them."""
    with logging_to(sys.stderr, "warning", RENDERERS["text"]):
        yield


def _short(folder: str) -> str:
    # The path of a socket has about a hundred bytes at most; some temporary folders are deeper.
    return folder if len(os.fsencode(folder)) <= _LONGEST_FOLDER else "/tmp"  # noqa: S108  a folder is made in it

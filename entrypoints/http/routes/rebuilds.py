"""Rebuilds of what follows from the log (C-81, C-105)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ...wire.codec import unstructure
from ...wire.rebuilds import Rebuild, RebuildBody
from ...wired import Wired
from ..lines import accepts_lines, lines_answer
from ..operator_handlers import record_answer
from ..requests import whole_body_as
from ..route import ACT, About, Route

# A client that hears nothing for long gives up.
_LINE_SECONDS = 2.0


async def rebuild(service: Wired, request: web.Request, by: Caller) -> web.StreamResponse:
    """
    Put right what does not follow from the log.

    A client that accepts lines first gets lines that say how far the rebuild is.
    """
    # A misspelt member would rebuild everything.
    only = (await whole_body_as(request, RebuildBody)).only or ()
    if not accepts_lines(request):
        return record_answer(by, Rebuild.of(await service.rebuilding.rebuild(by, only)))
    async with aclosing(_lines(service, by, only)) as lines:
        return await lines_answer(request, by, lines)


async def _lines(
    service: Wired, by: Caller, only: Collection[str]
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield how much of the log was read, and at last the report; a client that leaves ends the rebuild."""
    percent = 0

    def tell(done: int, of_all: int) -> None:
        nonlocal percent
        percent = 100 * done // max(done, of_all)

    work = asyncio.create_task(service.rebuilding.rebuild(by, only, tell))
    try:
        while not (await asyncio.wait((work,), timeout=_LINE_SECONDS))[0]:
            yield {"progress": percent}
        yield unstructure(Rebuild.of(work.result()))
    finally:
        work.cancel()
        await asyncio.wait((work,))


REBUILD_ROUTES = (Route("POST", "/admin/v1/rebuild", rebuild, ACT, About.STORE),)

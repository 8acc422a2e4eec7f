"""The listener: bound, announced, drained (C-1)."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Callable, MutableMapping
from typing import Any

from aiohttp import web

# Requests make few cycles; at the default of 700 the collector took 6 % of the time (profile).
_COLLECT_AFTER = 5_000


class _WithoutTexts(logging.LoggerAdapter[logging.Logger]):
    """Says of a failure its kind alone: aiohttp quotes the bytes that it could not read (C-31)."""

    def __init__(self) -> None:
        super().__init__(logging.getLogger("watchword.server"), {})

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        """Put the kind of the exception in the place of its text."""
        error = kwargs.pop("exc_info", None)
        if error is True:
            error = sys.exc_info()[1]
        if isinstance(error, tuple):
            error = error[1]
        return (f"{msg} ({type(error).__name__})" if error else msg), kwargs


async def serve(
    app: web.Application,
    *,
    host: str,
    port: int,
    drain_timeout: float,
    listening: Callable[[int], None],
) -> None:
    """
    Serve until SIGTERM or SIGINT, then take no more connections and answer what is under way.

    `listening` is called with the port once it is bound. Raises `OSError` when it cannot be.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    runner = web.AppRunner(
        app, access_log=None, logger=_WithoutTexts(), shutdown_timeout=drain_timeout
    )
    await runner.setup()
    _calm_the_collector()
    try:
        site = web.TCPSite(runner, host, port, backlog=1024)
        await site.start()
        listening(runner.addresses[0][1])
        await stop.wait()
    finally:
        await runner.cleanup()


def _calm_the_collector() -> None:
    """Look for cycles less often, and never among what lives as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER, 20, 20)

"""Does due work without the HTTP endpoint, until the process is stopped."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import click

from ..collector import collect_while_serving
from ..composition.bootstrap import wired
from ..http.listener.server import log_uncaught
from ..listening import held
from ..settings import Settings
from ..signals import stop_asked
from .observing import Observing, spans


async def work_until_stopped(settings: Settings, observing: Observing, host: str) -> None:
    """Work until SIGTERM or SIGINT; serve the metrics at `host` if they have a port."""
    asyncio.get_running_loop().set_exception_handler(log_uncaught)
    async with AsyncExitStack() as stack:
        port = observing.metrics_port
        metrics_at = await held(stack, host, port, "--metrics-port")
        tracing = await stack.enter_async_context(spans())
        meters = observing.meters()
        await stack.enter_async_context(
            wired(settings, answers=False, meters=meters, tracing=tracing)
        )
        if meters is not None and port is not None:
            from .metrics_listener import metrics_served

            served = metrics_served(meters, host, port, metrics_at)
            await stack.enter_async_context(served)
        collect_while_serving()
        click.echo(f"Watchword works on {settings.store_url}")
        await stop_asked().wait()

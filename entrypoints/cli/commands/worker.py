"""`watchword worker`: what falls due, without the HTTP endpoint."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import click

from ....adapters.event_store.sqlite.owner_lock import StoreInUse
from ...listening import held
from ...serving.endpoint import run
from ...serving.observing import Observing, spans
from ...settings import Settings, SettingsError, StoreKind
from ...signals import stop_asked
from ..options.observing_options import observing_options
from ..options.shared import (
    code_key_options,
    option,
    private_urls_option,
    provider_option,
    store_options,
)
from ..service.failures import expected_failures


@click.command(
    short_help="Do what falls due, without the HTTP endpoint.",
    epilog="""\b
Examples:
  watchword worker --data-dir /var/lib/watchword
  WATCHWORD_CODE_KEY_FILE=/run/keys/code watchword worker \\
    --store postgresql://pins@db.example/pins
""",
)
@option("--host", default="127.0.0.1", show_default=True, help="Address of --metrics-port.")
@store_options
@option(
    "--sandbox",
    is_flag=True,
    help="The store is a sandbox's: go by its clock, and send to its provider.",
)
@provider_option
@private_urls_option
@observing_options
@code_key_options
def worker(
    host: str, log_level: str, log_format: str | None, metrics_port: int | None, **service: Any
) -> None:
    """
    Fire fallbacks, deliver callbacks and recover dispatches until SIGTERM, then finish what is under way.

    `watchword serve` does the same work beside the endpoint. This command is one more node for a
    PostgreSQL, which any number may share; a SQLite file belongs to one process, so that there it is
    for a store whose service is down.
    """
    settings = Settings(**service)
    observing = Observing(log_level=log_level, log_format=log_format, metrics_port=metrics_port)
    with expected_failures(), observing.log():
        if settings.store_url.kind is StoreKind.MEMORY:
            raise SettingsError(
                "A store in memory is nobody else's: name a service's own with --store or --data-dir."
            )
        try:
            run(_work(settings, observing, host))
        except StoreInUse:
            raise SettingsError(
                f"The store {settings.store_url.path} is in use by another process, which does its"
                " due work itself. Stop that first, or let it be."
            ) from None


async def _work(settings: Settings, observing: Observing, host: str) -> None:
    from ...bootstrap import wired
    from ...collector import collect_while_serving
    from ...http.listener.server import tell_uncaught

    asyncio.get_running_loop().set_exception_handler(tell_uncaught)
    async with AsyncExitStack() as stack:
        port = observing.metrics_port
        metrics_at = await held(stack, host, port, "--metrics-port")
        tracing = await stack.enter_async_context(spans())
        meters = observing.meters()
        await stack.enter_async_context(wired(settings, meters=meters, tracing=tracing))
        if meters is not None and port is not None:
            from ...serving.metrics_listener import metrics_served

            served = metrics_served(meters, host, port, metrics_at)
            await stack.enter_async_context(served)
        collect_while_serving()
        click.echo(f"Watchword works on {settings.store_url}")
        await stop_asked().wait()

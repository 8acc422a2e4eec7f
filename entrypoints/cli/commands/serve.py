"""`watchword serve`: serves the HTTP endpoint."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import click
from attrs import evolve

from ....adapters.event_store.sqlite.owner_lock import StoreInUse
from ...admin_tokens import read_token
from ...serving.announcement import announcement
from ...serving.endpoint import Endpoint, Ports, run
from ...serving.first_steps import NothingToSendWith
from ...serving.observing import Observing
from ...serving.refusals import check_exposure, check_workers
from ...serving.workers import serve_with_workers
from ...settings import (
    DEFAULT_CODE_HASH_ROUNDS,
    DEFAULT_DRAIN_TIMEOUT,
    SANDBOX_ADMIN_TOKEN,
    Settings,
    SettingsError,
)
from ..building.groups import epilog
from ..options.observing_options import observing_options
from ..options.shared import (
    address,
    addresses,
    code_key_options,
    log_key_options,
    networks,
    option,
    parted,
    private_urls_option,
    provider_option,
    receipt_key_options,
    store_options,
    witness_option,
)
from ..service.failures import expected_failures

_MOST_WORKERS = 64


@click.command(
    short_help="Serve the HTTP endpoint.",
    epilog=epilog(
        "watchword serve --sandbox",
        "watchword serve --port 9000 --data-dir /var/lib/watchword",
        "WATCHWORD_ADMIN_TOKEN=... watchword serve --store sqlite:////srv/pins.db",
        "WATCHWORD_CODE_KEY_FILE=/run/keys/code watchword serve --workers 4 --metrics-port 9100 \\\n"
        "    --store postgresql://pins@db.example/pins",
    ),
)
@option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@option(
    "--legacy-port",
    type=click.IntRange(0, 65535),
    help="Port of the legacy platform's own, which is else on --port; 0 takes a free one.",
)
@option(
    "--admin-port",
    type=click.IntRange(0, 65535),
    help="Port of the operators' routes (/admin/v1) and the console, which are else on --port;"
    " 0 takes a free one.",
)
@option(
    "--console-port",
    type=click.IntRange(0, 65535),
    help="Port of the console alone (/console); 0 takes a free one.",
)
@option(
    "--console-url",
    metavar="URL",
    callback=address,
    help="Address before /console as browsers see it, where it is not --public-url; needed where that"
    " is https and the console has another port.",
)
@option("--no-console", is_flag=True, help="Leave the console out.")
@store_options
@option(
    "--public-url",
    metavar="URL",
    callback=address,
    help="Address that clients and providers use. Without it, short links have the listener's, and"
    " providers are told no callback URL.",
)
@option(
    "--short-domain",
    "short_domains",
    metavar="URL",
    multiple=True,
    callback=addresses,
    help="Address that leads here too, for short links; may be repeated.",
)
@option("--sandbox", is_flag=True, help="Add a demo account, an outbox and a movable clock.")
@option(
    "--sandbox-public",
    is_flag=True,
    help="Let a sandbox listen beyond loopback, with an admin token and an API key of its own.",
)
@provider_option
@witness_option
@private_urls_option
@option(
    "--drain-timeout",
    type=click.FloatRange(0, 300),
    default=DEFAULT_DRAIN_TIMEOUT,
    show_default=True,
    help="Seconds that SIGTERM leaves for requests under way.",
)
@option(
    "--workers",
    type=click.IntRange(1, _MOST_WORKERS),
    default=1,
    show_default=True,
    help="Processes that serve on the one port, with PostgreSQL;"
    " those beyond the first have the next metrics ports.",
)
@option(
    "--code-hash-rounds",
    type=click.IntRange(1, 1_000_000),
    default=DEFAULT_CODE_HASH_ROUNDS,
    show_default=True,
    help="Rounds of the hash over the keyed one.",
)
@option("--access-log", is_flag=True, help="Log every request, by its route's template.")
@option(
    "--trusted-proxy",
    "trusted_proxies",
    metavar="CIDR",
    multiple=True,
    callback=networks,
    help="Network of proxies whose X-Forwarded-For is believed: whose request it is, in --access-log"
    " and where clients are counted; may be repeated.",
)
@observing_options
@code_key_options
@receipt_key_options
@log_key_options
@click.option(
    "--admin-token",
    envvar="WATCHWORD_ADMIN_TOKEN",
    hidden=True,
    help="Token of 32 characters or more, which turns the management API and the console on.",
)
@option(
    "--admin-token-file",
    type=click.Path(path_type=Path),
    help="File with the admin token, instead of WATCHWORD_ADMIN_TOKEN.",
)
@click.option(
    "--sandbox-key",
    envvar="WATCHWORD_SANDBOX_KEY",
    hidden=True,
    help="API key of a sandbox; a public one must have it.",
)
def serve(
    workers: int,
    admin_token: str | None,
    admin_token_file: Path | None,
    sandbox_key: str | None,
    **given: Any,
) -> None:
    """
    Serve the HTTP endpoint until SIGTERM, then finish what is under way.

    Secrets come from the environment: WATCHWORD_ADMIN_TOKEN (32 characters or more) turns the
    management API on, WATCHWORD_CODE_KEY may hold the code key, and
    WATCHWORD_SANDBOX_KEY the API key of a sandbox, which a public one must have.
    """
    settings, _ = parted(Settings, given)
    settings = evolve(settings, sandbox_key=_stripped(sandbox_key), writer_process=True)
    observing, _ = parted(Observing, given)
    with expected_failures(), observing.log():
        token = _token(admin_token, admin_token_file)
        token = token or (SANDBOX_ADMIN_TOKEN if settings.sandbox else None)
        endpoint, _ = parted(Endpoint, {**given, "admin_token": token})
        check_exposure(settings, endpoint)

        def ready(ports: Ports, missing: NothingToSendWith | None) -> None:
            click.echo(announcement(ports, missing, endpoint, settings))

        if workers > 1:
            check_workers(workers, settings, endpoint, observing)
            asyncio.run(serve_with_workers(workers, settings, endpoint, observing, ready))
            return
        # The parent of workers does not serve, so it does not load the server.
        from ...serving.one_process import serve_endpoint

        try:
            run(serve_endpoint(settings, endpoint, observing, ready))
        except StoreInUse:
            raise SettingsError(
                f"The store {settings.store_url.path} is in use by another process."
                " Stop that, or give this one a --data-dir of its own."
            ) from None


def _token(given: str | None, file: Path | None) -> str | None:
    # An empty token counts as no token: it would open the management API to everybody.
    token = _stripped(given)
    if file is None:
        return token
    if token is not None:
        raise SettingsError(
            "WATCHWORD_ADMIN_TOKEN and --admin-token-file exclude each other. Leave one out."
        )
    return read_token(file)


def _stripped(secret: str | None) -> str | None:
    return (secret or "").strip() or None

"""`watchword serve`: the HTTP endpoint."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from pathlib import Path
from typing import Any

import click
from attrs import field, frozen

from ...adapters.event_store.sqlite_recorder import NotDurable
from ...adapters.hashing import DEFAULT_ROUNDS
from ...adapters.keyring import KeyringError
from ...application.ports.event_store import StoreUnavailable
from .. import sandbox as sandbox_mode
from ..bootstrap import wired
from ..http.app import Exposure, build_app
from ..http.server import serve as serve_app
from ..settings import (
    DEFAULT_DRAIN_TIMEOUT,
    DEFAULT_PROVIDER_TIMEOUT,
    SANDBOX_ADMIN_TOKEN,
    Settings,
    SettingsError,
)
from .options import option, store_options


@frozen(kw_only=True)
class Listener:
    """Where and how the endpoint is reached."""

    host: str
    port: int
    public_url: str | None
    drain_timeout: float
    admin_token: str | None = field(repr=False)
    sandbox_public: bool


@click.command(
    epilog="""\b
Examples:
  watchword serve --sandbox
  watchword serve --port 9000 --data-dir /var/lib/watchword
  WATCHWORD_ADMIN_TOKEN=... watchword serve --store sqlite:////srv/pins.db
"""
)
@option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@store_options
@option("--public-url", metavar="URL", help="Address that clients use (default: the listener's).")
@option("--sandbox", is_flag=True, help="Add a demo account, an outbox and a movable clock.")
@option("--sandbox-public", is_flag=True, help="Let a sandbox listen beyond loopback.")
@option(
    "--provider-timeout",
    type=click.FloatRange(1, 20),
    default=DEFAULT_PROVIDER_TIMEOUT,
    show_default=True,
    help="Seconds that a channel provider has to answer.",
)
@option(
    "--drain-timeout",
    type=click.FloatRange(0, 300),
    default=DEFAULT_DRAIN_TIMEOUT,
    show_default=True,
    help="Seconds that SIGTERM leaves for requests under way.",
)
@option(
    "--code-hash-rounds",
    type=click.IntRange(1, 1_000_000),
    default=DEFAULT_ROUNDS,
    show_default=True,
    help="Rounds of the hash over the keyed one.",
)
@click.option("--code-key", envvar="WATCHWORD_CODE_KEY", hidden=True)
@click.option(
    "--code-key-file",
    envvar="WATCHWORD_CODE_KEY_FILE",
    show_envvar=True,
    type=click.Path(path_type=Path),
    help="File with the key that protects codes (default: code.key in the data directory).",
)
@click.option("--admin-token", envvar="WATCHWORD_ADMIN_TOKEN", hidden=True)
def serve(
    host: str,
    port: int,
    public_url: str | None,
    drain_timeout: float,
    admin_token: str | None,
    sandbox_public: bool,
    **service: Any,
) -> None:
    """Serve the HTTP endpoint until SIGTERM, then finish what is under way."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    settings = Settings(**service)
    if settings.sandbox:
        admin_token = admin_token or SANDBOX_ADMIN_TOKEN
    listener = Listener(
        host=host,
        port=port,
        public_url=public_url,
        drain_timeout=drain_timeout,
        admin_token=admin_token,
        sandbox_public=sandbox_public,
    )
    try:
        _check_exposure(settings, listener)
        _run(settings, listener)
    except (SettingsError, KeyringError, StoreUnavailable, NotDurable) as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(
            f"Cannot listen on {host}:{port}: {error.strerror}. Choose another --port."
        ) from None


def _check_exposure(settings: Settings, listener: Listener) -> None:
    """Keep a sandbox, which shows its codes, away from strangers (C-4, C-65)."""
    if not settings.sandbox:
        if listener.sandbox_public:
            raise SettingsError("--sandbox-public goes with --sandbox.")
        return
    if listener.sandbox_public:
        if listener.admin_token == SANDBOX_ADMIN_TOKEN:
            raise SettingsError(
                "--sandbox-public wants an admin token of your own. Set WATCHWORD_ADMIN_TOKEN."
            )
    elif not _is_loopback(listener.host):
        raise SettingsError(
            f"A sandbox shows its codes, so it does not listen on {listener.host}."
            " Use 127.0.0.1, or add --sandbox-public."
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _run(settings: Settings, listener: Listener) -> None:
    try:
        import uvloop  # noqa: PLC0415  optional: missing on some platforms
    except ImportError:
        asyncio.run(_serve(settings, listener))
    else:
        uvloop.run(_serve(settings, listener))


async def _serve(settings: Settings, listener: Listener) -> None:
    exposure = Exposure(admin_token=listener.admin_token, sandbox_public=listener.sandbox_public)

    def listening(port: int) -> None:
        host = f"[{listener.host}]" if ":" in listener.host else listener.host
        base = (listener.public_url or f"http://{host}:{port}").rstrip("/")
        click.echo(f"Watchword serves {base}" if not settings.sandbox else _welcome(base))

    async with wired(settings) as service:
        await serve_app(
            build_app(service, exposure),
            host=listener.host,
            port=listener.port,
            drain_timeout=listener.drain_timeout,
            listening=listening,
        )


def _welcome(base: str) -> str:
    return f"""\
Watchword sandbox at {base}
  API key      {sandbox_mode.API_KEY}
  template id  {sandbox_mode.TEMPLATE_ID}

Issue a PIN:
  curl -s {base}/v1/pins -H 'Authorization: Bearer {sandbox_mode.API_KEY}' \\
    -H 'Content-Type: application/json' \\
    -d '{{"destination": "+919812345610", "templateId": "{sandbox_mode.TEMPLATE_ID}"}}'
Read the phone it went to:
  curl -s {base}/admin/v1/sandbox/outbox
"""

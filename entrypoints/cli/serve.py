"""`watchword serve`: the HTTP endpoint."""

from __future__ import annotations

import ipaddress
from contextlib import AsyncExitStack
from typing import Any

import click
from attrs import field, frozen

from ...adapters.event_store.owner_lock import StoreInUse
from ...adapters.hashing import DEFAULT_ROUNDS
from ...adapters.logs import logger
from ...adapters.meters import Meters
from .. import sandbox as sandbox_mode
from ..bootstrap import wired
from ..http.app import Exposure, build_app
from ..http.metrics import metrics_served
from ..http.server import serve as serve_app
from ..settings import (
    DEFAULT_DRAIN_TIMEOUT,
    SANDBOX_ADMIN_TOKEN,
    Settings,
    SettingsError,
)
from .failures import expected_failures
from .observing import Observing, observing_options, spans
from .options import (
    address,
    code_key_options,
    option,
    provider_option,
    sandbox_option,
    store_options,
)
from .running import listening_on, run

_log = logger("watchword.service")


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
    short_help="Serve the HTTP endpoint.",
    epilog="""\b
Examples:
  watchword serve --sandbox
  watchword serve --port 9000 --data-dir /var/lib/watchword
  WATCHWORD_ADMIN_TOKEN=... watchword serve --store sqlite:////srv/pins.db
""",
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
@option(
    "--public-url",
    metavar="URL",
    callback=address,
    help="Address that clients use (default: the listener's).",
)
@sandbox_option
@option("--sandbox-public", is_flag=True, help="Let a sandbox listen beyond loopback.")
@provider_option
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
@option("--access-log", is_flag=True, help="Log every request, by its route's template.")
@observing_options
@code_key_options
@click.option("--admin-token", envvar="WATCHWORD_ADMIN_TOKEN", hidden=True)
def serve(
    host: str,
    port: int,
    public_url: str | None,
    drain_timeout: float,
    admin_token: str | None,
    sandbox_public: bool,
    log_level: str,
    log_format: str | None,
    access_log: bool,
    metrics_port: int | None,
    **service: Any,
) -> None:
    """
    Serve the HTTP endpoint until SIGTERM, then finish what is under way.

    Secrets come from the environment: WATCHWORD_ADMIN_TOKEN turns the management API on, and
    WATCHWORD_CODE_KEY may hold the key that protects codes.
    """
    settings = Settings(**service, writer_process=True)
    # An empty token is none: it would open the management API to everybody.
    admin_token = (admin_token or "").strip() or (SANDBOX_ADMIN_TOKEN if settings.sandbox else None)
    listener = Listener(
        host=host,
        port=port,
        public_url=public_url,
        drain_timeout=drain_timeout,
        admin_token=admin_token,
        sandbox_public=sandbox_public,
    )
    observing = Observing(
        log_level=log_level,
        log_format=log_format,
        access_log=access_log,
        metrics_port=metrics_port,
    )
    with expected_failures(), observing.log():
        _check_exposure(settings, listener)
        try:
            run(_serve(settings, listener, observing))
        except StoreInUse:
            raise SettingsError(
                f"The store {settings.store_url.path} is in use by another process."
                " Stop that, or give this one a --data-dir of its own."
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


async def _serve(settings: Settings, listener: Listener, observing: Observing) -> None:
    exposure = Exposure(admin_token=listener.admin_token, sandbox_public=listener.sandbox_public)
    metrics_at: dict[str, int] = {}

    def listening(port: int) -> None:
        _log.info("ready", host=listener.host, port=port, **metrics_at)
        host = f"[{listener.host}]" if ":" in listener.host else listener.host
        base = (listener.public_url or f"http://{host}:{port}").rstrip("/")
        if settings.sandbox:
            click.echo(_welcome(base, listener))
        else:
            click.echo(f"Watchword serves {base}")

    async with AsyncExitStack() as stack:
        tracing = await stack.enter_async_context(spans())
        meters = None if observing.metrics_port is None else Meters()
        service = await stack.enter_async_context(wired(settings, meters=meters, tracing=tracing))
        if meters is not None and observing.metrics_port is not None:
            with listening_on(listener.host, observing.metrics_port, "--metrics-port"):
                served = metrics_served(meters, listener.host, observing.metrics_port)
                metrics_at["metrics_port"] = await stack.enter_async_context(served)
        with listening_on(listener.host, listener.port, "--port"):
            await serve_app(
                build_app(service, exposure, observing.around(meters, tracing)),
                host=listener.host,
                port=listener.port,
                drain_timeout=listener.drain_timeout,
                listening=listening,
                meters=meters,
            )


def _welcome(base: str, listener: Listener) -> str:
    known = listener.admin_token == SANDBOX_ADMIN_TOKEN
    token = SANDBOX_ADMIN_TOKEN if known else "as in WATCHWORD_ADMIN_TOKEN"
    guarded = (
        ' -H "Authorization: Bearer $WATCHWORD_ADMIN_TOKEN"' if listener.sandbox_public else ""
    )
    return f"""\
Watchword sandbox at {base}
  API key      {sandbox_mode.API_KEY}
  template id  {sandbox_mode.TEMPLATE_ID}
  admin token  {token}
  routes       {base}/docs

Issue a PIN:
  curl -s {base}/v1/pins -H 'Authorization: Bearer {sandbox_mode.API_KEY}' \\
    -H 'Content-Type: application/json' \\
    -d '{{"destination": "+919812345610", "templateId": "{sandbox_mode.TEMPLATE_ID}"}}'
Read the phone it went to:
  curl -s {base}/admin/v1/sandbox/outbox{guarded}
"""

"""`watchword serve`: the HTTP endpoint."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ....adapters.event_store.sqlite.owner_lock import StoreInUse
from ...serving.endpoint import ADMIN, LEGACY, MAIN, Endpoint, Ports, run
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
from ..options.observing_options import observing_options
from ..options.shared import (
    address,
    addresses,
    code_key_options,
    networks,
    option,
    private_urls_option,
    provider_option,
    sandbox_option,
    store_options,
)
from ..service.failures import expected_failures

if TYPE_CHECKING:
    from ...http.listener.client_address import Network

_MOST_WORKERS = 64


@click.command(
    short_help="Serve the HTTP endpoint.",
    epilog="""\b
Examples:
  watchword serve --sandbox
  watchword serve --port 9000 --data-dir /var/lib/watchword
  WATCHWORD_ADMIN_TOKEN=... watchword serve --store sqlite:////srv/pins.db
  WATCHWORD_CODE_KEY_FILE=/run/keys/code watchword serve --workers 4 --metrics-port 9100 \\
    --store postgresql://pins@db.example/pins
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
@option(
    "--legacy-port",
    type=click.IntRange(0, 65535),
    help="Port of the legacy platform's own, which is else on --port; 0 takes a free one.",
)
@option(
    "--admin-port",
    type=click.IntRange(0, 65535),
    help="Port of the operators' routes (/admin/v1), which are else on --port; 0 takes a free one.",
)
@store_options
@option(
    "--public-url",
    metavar="URL",
    callback=address,
    help="Address that clients use (default: the listener's).",
)
@option(
    "--short-domain",
    "short_domains",
    metavar="URL",
    multiple=True,
    callback=addresses,
    help="Address that leads here too, for short links; may be repeated.",
)
@sandbox_option
@option(
    "--sandbox-public",
    is_flag=True,
    help="Let a sandbox listen beyond loopback, with an admin token and an API key of its own.",
)
@provider_option
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
@click.option("--admin-token", envvar="WATCHWORD_ADMIN_TOKEN", hidden=True)
@click.option("--sandbox-key", envvar="WATCHWORD_SANDBOX_KEY", hidden=True)
def serve(
    host: str,
    port: int,
    legacy_port: int | None,
    admin_port: int | None,
    public_url: str | None,
    drain_timeout: float,
    admin_token: str | None,
    sandbox_key: str | None,
    sandbox_public: bool,
    workers: int,
    log_level: str,
    log_format: str | None,
    access_log: bool,
    trusted_proxies: tuple[Network, ...],
    metrics_port: int | None,
    **service: Any,
) -> None:
    """
    Serve the HTTP endpoint until SIGTERM, then finish what is under way.

    Secrets come from the environment: WATCHWORD_ADMIN_TOKEN (32 characters or more) turns the
    management API on, WATCHWORD_CODE_KEY may hold the key that protects codes, and
    WATCHWORD_SANDBOX_KEY the API key of a sandbox, which a public one must have.
    """
    settings = Settings(
        **service,
        public_url=public_url,
        sandbox_key=(sandbox_key or "").strip() or None,
        writer_process=True,
    )
    # An empty token is none: it would open the management API to everybody.
    admin_token = (admin_token or "").strip() or (SANDBOX_ADMIN_TOKEN if settings.sandbox else None)
    endpoint = Endpoint(
        host=host,
        port=port,
        legacy_port=legacy_port,
        admin_port=admin_port,
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
        trusted_proxies=trusted_proxies,
    )
    with expected_failures(), observing.log():
        check_exposure(settings, endpoint)

        def ready(ports: Ports) -> None:
            if settings.sandbox:
                click.echo(_welcome(ports, endpoint, settings))
                return
            elsewhere = "".join(f"{what} at {at}, " for what, at in _apart(ports, endpoint))
            all_else = "all else at " if elsewhere else ""
            click.echo(f"Watchword serves {elsewhere}{all_else}{endpoint.base(ports[MAIN])}")

        if workers > 1:
            check_workers(workers, settings, endpoint, observing)
            asyncio.run(serve_with_workers(workers, settings, endpoint, observing, ready))
            return
        # A parent of workers serves nobody itself, and needs nothing of this.
        from ...serving.one_process import serve_endpoint

        try:
            run(serve_endpoint(settings, endpoint, observing, ready))
        except StoreInUse:
            raise SettingsError(
                f"The store {settings.store_url.path} is in use by another process."
                " Stop that, or give this one a --data-dir of its own."
            ) from None


def _apart(ports: Ports, endpoint: Endpoint) -> Sequence[tuple[str, str]]:
    """Return what has a port of its own, and where that is."""
    named = ((LEGACY, "the legacy platform"), (ADMIN, "the operators' API"))
    return [(what, endpoint.at(ports[flag])) for flag, what in named if flag in ports]


def _welcome(ports: Ports, endpoint: Endpoint, settings: Settings) -> str:
    from ...demo.seeding import API_KEY, TEMPLATE_ID

    base = endpoint.base(ports[MAIN])
    operators = endpoint.at(ports[ADMIN]) if ADMIN in ports else base
    elsewhere = [f"\n{what.capitalize()} is at {at}" for what, at in _apart(ports, endpoint)]
    key, bearer = API_KEY, f"'Authorization: Bearer {API_KEY}'"
    if settings.sandbox_key is not None:
        key = "as in WATCHWORD_SANDBOX_KEY"
        # A shell fills variables in between double quotes alone.
        bearer = '"Authorization: Bearer $WATCHWORD_SANDBOX_KEY"'
    known = endpoint.admin_token == SANDBOX_ADMIN_TOKEN
    token = SANDBOX_ADMIN_TOKEN if known else "as in WATCHWORD_ADMIN_TOKEN"
    guarded = (
        ' -H "Authorization: Bearer $WATCHWORD_ADMIN_TOKEN"' if endpoint.sandbox_public else ""
    )
    return f"""\
Watchword sandbox at {base}{"".join(elsewhere)}
  API key      {key}
  template id  {TEMPLATE_ID}
  admin token  {token}
  routes       {base}/docs

What the provider does goes by the end of a number, or of the digits before an address's @:
  0001  rejects the message
  0002  accepts it, and reports FAILED
  0003  accepts it, and says nothing more, as with any other end
  0004  gives no answer in time
  0005  accepts it, and reports DELIVERED

Issue a PIN:
  curl -s {base}/v1/pins -H {bearer} \\
    -H 'Content-Type: application/json' \\
    -d '{{"destination": "+919812345610", "templateId": "{TEMPLATE_ID}"}}'
Read the phone it went to:
  curl -s {operators}/admin/v1/sandbox/outbox{guarded}
"""

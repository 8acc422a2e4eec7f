"""What a service is not started with, said before anything is."""

from __future__ import annotations

import ipaddress

from ..settings import SANDBOX_ADMIN_TOKEN, Settings, SettingsError, StoreKind
from .observing import Observing
from .running import Listener


def check_exposure(settings: Settings, listener: Listener) -> None:
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


def check_workers(
    workers: int, settings: Settings, listener: Listener, observing: Observing
) -> None:
    """Say why a store, or a sandbox, has one process (C-4), and which ports several would need."""
    if settings.sandbox:
        raise SettingsError(
            "A sandbox has one process, whose memory holds its outbox. Leave --workers out."
        )
    match settings.store_url.kind:
        case StoreKind.SQLITE:
            raise SettingsError(
                "A SQLite file belongs to one process."
                " Leave --workers out, or name a PostgreSQL with --store."
            )
        case StoreKind.MEMORY:
            raise SettingsError(
                "A store in memory is its own process's."
                " Leave --workers out, or name a PostgreSQL with --store."
            )
    first = observing.metrics_port
    if first:
        ports = range(first, first + workers)
        if ports[-1] > 65535 or listener.port in ports or listener.legacy_port in ports:
            raise SettingsError(
                f"The workers' metrics take ports {ports[0]} to {ports[-1]}, which must exist and be"
                " free of --port and --legacy-port. Choose another --metrics-port."
            )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

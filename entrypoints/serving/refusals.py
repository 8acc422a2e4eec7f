"""Refuses unsafe settings before a service is started."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from ..admin_tokens import fault_of
from ..settings import SANDBOX_ADMIN_TOKEN, Settings, SettingsError, StoreKind
from .endpoint import CONSOLE, MAIN, Endpoint
from .observing import Observing

# Lists show the beginning of each key, which must be a small part of it.
_SANDBOX_KEY_LENGTH = 16
_TO_MAKE_ONE = "Make one with: export WATCHWORD_ADMIN_TOKEN=$(head -c 32 /dev/urandom | base64)"
_TO_MAKE_A_KEY = "Make one with: export WATCHWORD_SANDBOX_KEY=$(head -c 24 /dev/urandom | base64)"


def check_exposure(settings: Settings, endpoint: Endpoint) -> None:
    """Refuse to expose a sandbox, which shows its codes, or the operators' routes (C-4, C-96)."""
    if endpoint.admin_port is not None and not endpoint.admin_token:
        raise SettingsError("--admin-port has nothing to serve. Set WATCHWORD_ADMIN_TOKEN.")
    if endpoint.console_port is not None and not endpoint.admin_token:
        raise SettingsError("--console-port has nothing to serve. Set WATCHWORD_ADMIN_TOKEN.")
    if endpoint.console_port is not None and endpoint.no_console:
        raise SettingsError("--console-port and --no-console exclude each other. Leave one out.")
    _check_ports(endpoint)
    _check_console_address(endpoint)
    if not settings.sandbox:
        if endpoint.sandbox_public:
            raise SettingsError("--sandbox-public goes with --sandbox.")
        if fault := fault_of(endpoint.admin_token):
            raise SettingsError(f"{fault} {_TO_MAKE_ONE}")
        return
    _check_sandbox_key(settings.sandbox_key)
    if endpoint.sandbox_public:
        if endpoint.admin_token == SANDBOX_ADMIN_TOKEN:
            raise SettingsError(
                "--sandbox-public wants an admin token of your own. Set WATCHWORD_ADMIN_TOKEN."
            )
        if settings.sandbox_key is None:
            raise SettingsError(
                "--sandbox-public wants an API key of your own for the demo account."
                f" {_TO_MAKE_A_KEY}"
            )
    elif not _is_loopback(endpoint.host):
        raise SettingsError(
            f"A sandbox shows its codes, so it does not listen on {endpoint.host}."
            " Use 127.0.0.1, or add --sandbox-public."
        )


def _check_ports(endpoint: Endpoint) -> None:
    """Refuse two listeners at one port."""
    flags: dict[int, str] = {}
    for flag, port in endpoint.wanted_ports.items():
        if port and (other := flags.setdefault(port, flag)) != flag:
            raise SettingsError(
                f"{other} and {flag} are both {port}. Choose another, or leave one out."
            )


def _check_console_address(endpoint: Endpoint) -> None:
    """Refuse a console that would have cookies for plain HTTP beside a service that has TLS (D-574)."""
    at = endpoint.console_at
    if not endpoint.has_console or at == MAIN or endpoint.console_url is not None:
        return
    if urlsplit(endpoint.public_url or "").scheme == "https":
        without = "" if at == CONSOLE else ", or leave the console out with --no-console"
        raise SettingsError(
            f"--public-url is https, but {at} gives the console another address, whose cookies might"
            " need plain http. Name that address with --console-url, such as"
            f" https://operators.example.com or http://127.0.0.1:PORT{without}."
        )


def _check_sandbox_key(key: str | None) -> None:
    from ..demo.seeding import API_KEY

    if key is None:
        return
    if key == API_KEY:
        raise SettingsError(f"{key} is every sandbox's API key. {_TO_MAKE_A_KEY}")
    if len(key) < _SANDBOX_KEY_LENGTH or not re.fullmatch("[!-~]+", key):
        raise SettingsError(
            f"The sandbox's API key must have {_SANDBOX_KEY_LENGTH} or more characters that a header"
            f" can carry, and no blanks. {_TO_MAKE_A_KEY}"
        )


def check_workers(
    workers: int, settings: Settings, endpoint: Endpoint, observing: Observing
) -> None:
    """Refuse several processes for a sandbox or a SQLite file (C-4), and ports that overlap."""
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
        if ports[-1] > 65535 or any(each in ports for each in endpoint.wanted_ports.values()):
            raise SettingsError(
                f"The workers' metrics take ports {ports[0]} to {ports[-1]}, which must exist and be"
                " free of --port, --legacy-port, --admin-port and --console-port."
                " Choose another --metrics-port."
            )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

"""`watchword serve` knows by which address browsers reach the console, or does not start (D-574)."""

from __future__ import annotations

import http.client
import socket
from pathlib import Path

import pytest

from tests.entrypoints.cli.conftest import Run
from tests.entrypoints.cli.processes import served

OWN = {"WATCHWORD_ADMIN_TOKEN": "a-token-of-this-test-with-40-characters-"}
PUBLIC = ("--public-url", "https://pins.example.com")
LOOPBACK = ("--console-url", "http://127.0.0.1:8081")
TLS = ("--console-url", "https://operators.example.com")


@pytest.mark.parametrize(
    ("arguments", "flag", "otherwise"),
    [
        (("--console-port", "0"), "--console-port", ""),
        (("--console-port", "0", "--admin-port", "0"), "--console-port", ""),
        (
            ("--admin-port", "0"),
            "--admin-port",
            ", or leave the console out with --no-console",
        ),
        (
            ("--admin-port", "0", "--sandbox"),
            "--admin-port",
            ", or leave the console out with --no-console",
        ),
    ],
)
def test_an_unknown_address_beside_tls_is_refused(
    arguments: tuple[str, ...], flag: str, otherwise: str, alone: Run
) -> None:
    """Its cookies would lack `Secure` although the service has TLS; a sentence says what to name (D-574)."""
    # What passes this check is refused next, for its workers on one SQLite file, so nothing is served.
    refused = alone("serve", "--port", "0", "--workers", "2", *PUBLIC, *arguments, **OWN)

    assert (
        1,
        f"Error: --public-url is https, but {flag} gives the console another address, whose cookies"
        " might need plain http. Name that address with --console-url, such as"
        f" https://operators.example.com or http://127.0.0.1:PORT{otherwise}.\n",
    ) == (refused.exit_code, refused.stderr)


@pytest.mark.parametrize(
    ("flag", "arguments", "secure"),
    [
        ("--console-port", (*PUBLIC, *TLS), True),
        ("--admin-port", (*PUBLIC, *TLS), True),
        ("--console-port", (*PUBLIC, *LOOPBACK), False),
        ("--console-port", ("--public-url", "http://pins.example.com"), False),
        ("--port", PUBLIC, True),
    ],
)
def test_a_known_address_decides_about_the_cookies(
    flag: str, arguments: tuple[str, ...], secure: bool, tmp_path: Path
) -> None:
    """`https` makes them `Secure`; plain HTTP is possible for whoever says so (D-574)."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    with served(tmp_path, flag, str(port), *arguments, **OWN):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", "/console/login")
        answer = connection.getresponse()
        connection.close()

    assert (200, secure) == (answer.status, "Secure" in (answer.headers["Set-Cookie"] or ""))


def test_without_a_console_no_address_is_missing(tmp_path: Path) -> None:
    """The operators' API alone, on a port of its own, has no cookies."""
    with served(tmp_path, "--admin-port", "0", "--no-console", *PUBLIC, **OWN) as running:
        assert "the operators' API at " in running.said

"""The settings that name a server of the operator's: its host, port and file of certificates (C-63)."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterator
from pathlib import Path

from ..public_addresses import (
    address_in,
    is_address,
    is_loopback,
    is_loopback_name,
    is_public_or_own,
)

MAX_CA_BYTES = 1 << 20
_HOST = re.compile(
    r"(?=.{1,253}\Z)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62}))*\.?"
)


def server_problems(host: str, port: int) -> Iterator[tuple[str, str]]:
    """Yield `host` or `port`, each with the reason why nothing can be sent there."""
    if is_address(host):
        if "%" in host or not is_public_or_own(address_in(host)):
            yield "host", "must be an address that can be connected to, not a link-local one"
    elif not _HOST.fullmatch(host):
        yield "host", "must be a name or an address, such as gateway.example.com"
    if not 1 <= port <= 65_535:
        yield "port", "must be from 1 to 65535"


def authority_problem(path: str) -> str | None:
    """Return why a file of certificates cannot be used; None if it can."""
    try:
        authority(path)
    except (OSError, ValueError):
        return "must be a file with certificates in PEM that the service can read"
    return None


def authority(path: str) -> str:
    """
    Read a PEM file of certificates.

    Raises `OSError` or `ValueError` for what is not a small regular file with a certificate.
    """
    # Opening a pipe would wait for its writer, and a device may do anything.
    if not Path(path).is_file():
        raise ValueError("It is no regular file.")
    with open(path, "rb", opener=_without_waiting) as file:
        # Nothing is there yet in a log of the system, which looks like a regular file (D-245).
        content = file.read(MAX_CA_BYTES + 1) or b""
    if len(content) > MAX_CA_BYTES:
        raise ValueError("It is too long.")
    text = content.decode("ascii", "ignore")
    # `SSLError` is an `OSError`.
    ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=text)
    return text


def is_here(host: str) -> bool:
    """Return whether a host is this machine without looking its name up."""
    return is_loopback(address_in(host)) if is_address(host) else is_loopback_name(host)


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)

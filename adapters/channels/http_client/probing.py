"""Connect to a provider's host, and send nothing (C-67)."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence

from yarl import URL

from ....application.ports.channels import Connected
from ...checked_addresses import AddressRefused, CheckedAddresses
from .failures import CONNECT_SECONDS, no_address, not_connected


async def connected(url: URL, addresses: CheckedAddresses, tls: ssl.SSLContext) -> Connected:
    """Connect to the host of a URL, with TLS where it asks for it; raises `NotSentError`."""
    host, port = url.raw_host or "", url.port or 0
    context = tls if url.scheme == "https" else None
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            version = await _greeted(await _found(host, addresses), port, host, context)
    except OSError as error:
        raise not_connected(error, host, port) from None
    return Connected(f"{host}:{port} {version}")


async def _found(host: str, addresses: CheckedAddresses) -> Sequence[str]:
    try:
        return await addresses.of(host)
    except (AddressRefused, TimeoutError):
        raise
    except (OSError, UnicodeError):
        raise no_address(host) from None


async def _greeted(
    addresses: Sequence[str], port: int, host: str, tls: ssl.SSLContext | None
) -> str:
    """Connect to the first address that answers; return its TLS version."""
    failures: list[OSError] = []
    for each in addresses:
        try:
            _, writer = await asyncio.open_connection(
                each, port, ssl=tls, server_hostname=host if tls else None
            )
        except TimeoutError:
            raise
        except OSError as error:
            failures.append(error)
            continue
        session = writer.get_extra_info("ssl_object")
        writer.transport.abort()
        return session.version() if session is not None else "without TLS"
    raise failures[0]

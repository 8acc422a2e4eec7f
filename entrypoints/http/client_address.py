"""Whose request it is, where proxies stand between (C-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Network = IPv4Network | IPv6Network


def client_address(
    peer: str | None, forwarded: Iterable[str], trusted: Sequence[Network]
) -> str | None:
    """
    Give a client's address: the peer's, unless that is a trusted proxy's (D-105).

    `forwarded` are the values of X-Forwarded-For. Each proxy adds whom it heard from at the end, so
    what stands before an address that is not trusted, or not readable, is that client's own word.
    """
    client = peer
    hops = [hop for value in forwarded for hop in value.split(",")] if trusted else []
    while hops and _is_in(client, trusted) and (hop := _read(hops.pop())) is not None:
        client = str(hop)
    return client


def _is_in(client: str | None, trusted: Sequence[Network]) -> bool:
    address = None if client is None else _read(client)
    return address is not None and any(address in network for network in trusted)


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    # A listener for both families sees IPv4 so.
    return getattr(address, "ipv4_mapped", None) or address

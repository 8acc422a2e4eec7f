"""Whose connection or request it is, where proxies stand between (C-1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from aiohttp import web

Network = IPv4Network | IPv6Network
# The networks of the proxies that are believed whose request it was.
TRUSTED_PROXIES = web.AppKey("trusted_proxies", tuple[Network, ...])
FORWARDED = "X-Forwarded-For"
# What a provider gives one customer at least, and what one customer can choose addresses from.
_IPV6_PREFIX = 64


def client_address(
    peer: str | None, forwarded: Iterable[str], trusted: Sequence[Network]
) -> str | None:
    """
    Return a client's address: the peer's, unless that is a trusted proxy's (D-105).

    `forwarded` are the values of X-Forwarded-For. Each proxy appends the address of its own client.
    So everything before an address that is untrusted or unreadable is that client's own claim.
    """
    client = peer
    hops = [hop for value in forwarded for hop in value.split(",")] if trusted else []
    while hops and _is_in(client, trusted) and (hop := _read(hops.pop())) is not None:
        client = str(hop)
    return client


def client_of(request: web.Request) -> str:
    """Return what a request's client is counted as; all whose address nobody knows count as one."""
    trusted = request.app[TRUSTED_PROXIES]
    address = client_address(request.remote, request.headers.getall(FORWARDED, ()), trusted)
    return counted_as(address)


def peer_counted_as(peer: str | None, trusted: Sequence[Network]) -> str | None:
    """
    Return what the connections of a peer are counted as; None for those that count for nobody.

    A trusted proxy's are everybody's, and what it forwards is known of its requests alone (D-142).
    """
    return None if peer is None or _is_in(peer, trusted) else counted_as(peer)


def counted_as(address: str | None) -> str:
    """Return an address as shares and wrong logins are counted by: of IPv6 the first 64 bits."""
    read = None if address is None else _read(address)
    if isinstance(read, IPv6Address):
        return str(ip_network((read, _IPV6_PREFIX), strict=False))
    return "" if read is None else str(read)


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

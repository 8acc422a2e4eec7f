"""
Tell public IP addresses from those that are private to this network, and from this machine's own (C-25).

`guarded_web.py` refuses to call the private ones.
"""

from __future__ import annotations

from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)

Address = IPv4Address | IPv6Address

# An operator can allow these with --allow-private-urls; nothing allows those below.
_OWN_V4 = tuple(
    map(
        IPv4Network,
        ("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
    )
)
_OWN_V6 = tuple(map(IPv6Network, ("::1/128", "fc00::/7")))
_RESERVED_V4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "169.254.0.0/16",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
        ),
    )
)
_GLOBAL_V6 = IPv6Network("2000::/3")
# Within it: protocols (Teredo, benchmarks, ORCHID), documentation, and 6to4, which can hold any IPv4.
_RESERVED_V6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
# Metadata services of clouds; some of these addresses look public.
_CLOUDS = tuple(
    map(
        ip_network,
        ("100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::/32", "fd20:ce::254/128"),
    )
)
# The prefix under which networks without IPv4 address IPv4 hosts.
_NAT64 = IPv6Network("64:ff9b::/96")


def is_public(address: Address) -> bool:
    """Return whether an address is known to be public."""
    match _unwrapped(address):
        case IPv4Address() as v4:
            return not any(v4 in each for each in (*_OWN_V4, *_RESERVED_V4, *_CLOUDS))
        case v6:
            return v6 in _GLOBAL_V6 and not any(v6 in each for each in _RESERVED_V6)


def is_public_or_own(address: Address) -> bool:
    """Return whether an address is public, private or loopback (C-47)."""
    inside = _unwrapped(address)
    own = _OWN_V4 if isinstance(inside, IPv4Address) else _OWN_V6
    if any(inside in each for each in _CLOUDS):
        return False
    return is_public(inside) or any(inside in each for each in own)


def address_in(text: str) -> Address:
    """Parse an address as resolvers write it; raises `ValueError`."""
    return ip_address(text.partition("%")[0])


def is_address(text: str) -> bool:
    """Return whether a text is an address and not a name."""
    try:
        address_in(text)
    except ValueError:
        return False
    return True


def is_loopback(address: Address) -> bool:
    """Return whether an address is on this machine."""
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def is_loopback_name(name: str) -> bool:
    """Return whether a name is one of this machine's, which name servers must not resolve (RFC 6761)."""
    return f".{name.rstrip('.').lower()}".endswith(".localhost")


def _unwrapped(address: Address) -> Address:
    """Return the IPv4 address inside an IPv6 address, or else the address itself."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address

"""Which addresses of the internet protocol are anybody's, and which are this network's own (C-25)."""

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

# Whoever runs the service may open these with --allow-private-urls; nothing opens those below.
_OWN_V4 = tuple(
    map(
        IPv4Network,
        ("10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
    )
)
_OWN_V6 = tuple(map(IPv6Network, ("::1/128", "fc00::/7")))
_NOBODYS_V4 = tuple(
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
# Within it: protocols (Teredo, benchmarks, ORCHID), documentation, and 6to4, whose inside may be anything.
_NOBODYS_V6 = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
# Addresses of the metadata services of clouds, some of which look public.
_CLOUDS = tuple(
    map(
        ip_network,
        ("100.100.100.200/32", "168.63.129.16/32", "fd00:ec2::/32", "fd20:ce::254/128"),
    )
)
# What networks without IPv4 give as the addresses of everybody else.
_NAT64 = IPv6Network("64:ff9b::/96")


def is_public(address: Address) -> bool:
    """Say whether an address is one of the internet at large; what is not known to be is not."""
    match _inside(address):
        case IPv4Address() as v4:
            return not any(v4 in each for each in (*_OWN_V4, *_NOBODYS_V4, *_CLOUDS))
        case v6:
            return v6 in _GLOBAL_V6 and not any(v6 in each for each in _NOBODYS_V6)


def is_public_or_own(address: Address) -> bool:
    """Say whether an address is public, private or loopback (C-47)."""
    inside = _inside(address)
    own = _OWN_V4 if isinstance(inside, IPv4Address) else _OWN_V6
    if any(inside in each for each in _CLOUDS):
        return False
    return is_public(inside) or any(inside in each for each in own)


def address_in(text: str) -> Address:
    """Read an address as resolvers give it; raises `ValueError`."""
    return ip_address(text.partition("%")[0])


def is_address(text: str) -> bool:
    """Say whether a text is an address, and not a name."""
    try:
        address_in(text)
    except ValueError:
        return False
    return True


def _inside(address: Address) -> Address:
    """Return the address that is meant: one of IPv4 may stand inside one of IPv6."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(int(address) & 0xFFFFFFFF)
    return address

"""What a caller says of the user who asks for a code (C-76)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from attrs import field

from ...domain.limits import OneLine
from ...domain.value import value

# Longer than any spelling of an address.
LONGEST_IP = 45
# Networks give a subscriber 64 bits or fewer of an address, and the rest is the subscriber's choice.
_COUNTED_BITS = 64
_NO_IP = "must be an IPv4 or IPv6 address, such as 203.0.113.9 or 2001:db8::7"


def an_ip(_instance: object, _attribute: object, ip: Any) -> None:
    """Check that a given text is an IP address without a zone."""
    if ip is not None:
        _address(ip)


@value(kw_only=True)
class CallerContext:
    """
    The IP and the user agent of the user, as the caller saw them; both are optional.

    The guard counts by them. Neither is stored: events and budgets have HMACs (D-391).
    """

    ip: str | None = field(default=None, repr=False, validator=an_ip)
    user_agent: str | None = field(default=None, repr=False, validator=OneLine(1, 1_024))


def counted_as(ip: str) -> str:
    """
    Return the address that an IP counts as: itself, or the first half of an IPv6 address (D-391).

    All spellings of an address have one form, also that of an IPv4 address in an IPv6 one.
    """
    address = _address(ip)
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> _COUNTED_BITS << _COUNTED_BITS))
    return str(address)


def _address(ip: str) -> IPv4Address | IPv6Address:
    if len(ip) > LONGEST_IP or "%" in ip:
        raise ValueError(_NO_IP)
    try:
        return ip_address(ip)
    except ValueError:
        raise ValueError(_NO_IP) from None

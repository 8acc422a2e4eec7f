"""The addresses of Google's services, and of those that take their places (C-63, C-99)."""

from __future__ import annotations

from urllib.parse import urlsplit

from ...public_addresses import address_in, is_address, is_public, is_public_or_own
from ..server_settings import is_here, server_problems

_SERVICE = "rcsbusinessmessaging.googleapis.com"
# The region of an address is that of the service which answers it.
REGIONS = ("us", "europe", "asia")
_PORTS = {"https": 443, "http": 80}
_ENCRYPTED = "must be https; http only to an address of this machine or a private network"


def service_address(region: str | None) -> str:
    """Return the address of RCS Business Messaging, in a region if there is one."""
    return f"https://{_SERVICE}" if region is None else f"https://{region}-{_SERVICE}"


def address_problem(url: str, *, whole: bool = True) -> str | None:
    """
    Return why a log-in must not go to an address; None if it may.

    With `whole` false, the address is scheme and host alone.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return "must be a URL"
    has_blanks = any(each.isspace() for each in url)
    if (
        parts.scheme not in _PORTS
        or not host
        or "@" in parts.netloc
        or parts.fragment
        or has_blanks
    ):
        return "must be a URL of https, without a user name, a fragment or blanks"
    if not whole and (parts.path.strip("/") or parts.query):
        return "must be scheme and host, and a port if need be: https://api.example.com"
    for _, problem in server_problems(host, port):
        return problem
    if parts.scheme == "http" and not _is_near(host):
        return _ENCRYPTED
    return None


def _is_near(host: str) -> bool:
    """Return whether a host is this machine, or an address of a private network."""
    if not is_address(host):
        return is_here(host)
    address = address_in(host)
    return is_public_or_own(address) and not is_public(address)

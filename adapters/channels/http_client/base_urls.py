"""The setting `baseUrl`: the scheme and host of a provider's API, and where a log-in may go (C-63)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ....domain.errors import FieldProblem, ValidationFailedError
from ...public_addresses import address_in, is_address, is_public, is_public_or_own
from ..server_settings import is_here, server_problems

_ADDRESS = "baseUrl"
_PORTS = {"https": 443, "http": 80}
_BASE_ALONE = "must be scheme and host, and a port if need be: https://api.example.com"
_ENCRYPTED = "must be https; http only to an address of this machine or a private network"


def api_address(config: Mapping[str, Any], default: str = "") -> str:
    """Return the scheme and host of the API; raises `ValidationFailedError` if `baseUrl` has more (C-99)."""
    address = str(config.get(_ADDRESS, default))
    parts = urlsplit(address)
    has_more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if has_more or "{" in address:
        raise ValidationFailedError([FieldProblem(f"config.{_ADDRESS}", _BASE_ALONE)])
    return f"{parts.scheme}://{parts.netloc}"


def address_problem(url: str, *, whole: bool = True) -> str | None:
    """
    Return why a log-in must not go to an address; None if it may (D-295).

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
        return _BASE_ALONE
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

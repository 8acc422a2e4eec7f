"""
The form of a public URL (C-56). Only its text is checked: nothing is looked up or fetched.

A public name can still resolve to a private address. Code that fetches a URL checks every address
itself.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, unquote, urlsplit

MAX_URL = 2_048
MAX_HOST = 253
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
# Browsers accept these notations for a part of an IPv4 address.
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_UNSEEN_OR_QUOTING = re.compile(r'[ <>"\\]')
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Ranges that contain other addresses (6to4), and the range for documentation that older releases do not know.
_WRAPPED = (ipaddress.IPv6Network("2002::/16"), ipaddress.IPv6Network("3fff::/20"))
# Names without a public address (RFC 6761, 6762, 7686, 8375, and by custom).
_PRIVATE_ZONES = frozenset(
    {"arpa", "corp", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain"}
    | {"localhost", "onion", "private"}
)


def url_problem(url: str) -> str | None:
    """Return why a text is not a public URL; None if it is one (D-82)."""
    if len(url) > MAX_URL:
        return f"must have at most {MAX_URL} characters"
    parts = _split(url)
    if parts is None or parts.scheme not in ("http", "https") or not parts.hostname:
        return "must be a URL such as https://example.com/picture.png"
    if "@" in parts.netloc:
        return "must be a URL without a user name or a password"
    if not _is_public(parts.hostname):
        return "must be a URL with a public host, such as https://example.com/picture.png"
    return None


def url_file_name(url: str) -> str:
    """Return the last part of a URL's path; an empty text if the text is no URL."""
    parts = _split(url)
    return "" if parts is None else unquote(parts.path).rpartition("/")[2]


def _split(url: str) -> SplitResult | None:
    # Parsers silently drop or change these characters, and could then see another host.
    if not url.isprintable() or _UNSEEN_OR_QUOTING.search(url):
        return None
    try:
        parts = urlsplit(url)
        return None if parts.port == 0 else parts
    except ValueError:
        return None


def _is_public(host: str) -> bool:
    if ":" in host:
        return _is_public_ipv6(host)
    try:
        # Resolvers read full-width digits and dots as plain ones.
        name = host[: MAX_HOST + 2].encode("idna").decode().lower().removesuffix(".")
    except UnicodeError:
        return False
    labels = name.split(".")
    if len(name) > MAX_HOST or not all(map(_LABEL.fullmatch, labels)):
        return False
    if _NUMBER.fullmatch(labels[-1]):
        return _is_public_ipv4(name)
    return len(labels) > 1 and labels[-1] not in _PRIVATE_ZONES


def _is_public_ipv4(text: str) -> bool:
    try:
        address = ipaddress.IPv4Address(text)
    except ValueError:
        # 127.1, 0177.0.0.1 and 2130706433 all are one address: refuse these notations.
        return False
    return address.is_global and not address.is_multicast


def _is_public_ipv6(text: str) -> bool:
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return (
        address.scope_id is None
        and address in _GLOBAL_UNICAST
        and address.is_global
        and not any(address in network for network in _WRAPPED)
    )

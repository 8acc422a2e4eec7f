"""
The check of URLs from clients: every parser must read the same host from one (C-25).

`guarded_web.py` then refuses hosts with private addresses.
"""

from __future__ import annotations

import re

from yarl import URL

from .public_addresses import is_address

NO_HOST = "must have a host that names can be looked up by"
_SCHEMES = ("http", "https")
# Printable ASCII without the characters that parsers disagree about. Other names have an ASCII form.
_PLAIN = re.compile(r"[!-\[\]-~]+")
# Names that browsers and some resolvers read as an IPv4 address.
_NUMERIC = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)")


def host_of(text: str) -> str:
    """
    Return the host of a callable URL; the caller still has to check the host's addresses.

    An IPv4 address must be four decimal numbers. Raises `ValueError` for other spellings of one, for a
    zone, for a user, and for anything that parsers read in different ways.
    """
    if not _PLAIN.fullmatch(text):
        raise ValueError("must be a URL in printable ASCII, without blanks and backslashes")
    try:
        url = URL(text)
        host, scheme, port = url.raw_host, url.scheme, url.port
    except ValueError:
        raise ValueError("must be a URL") from None
    if scheme not in _SCHEMES or not host or not port:
        raise ValueError("must be an http or https URL with a host")
    # A user can be empty, and a percent sign can hide any character, such as a dot or a zone's sign.
    authority = text.partition("://")[2]
    authority = re.split(r"[/?#]", authority, maxsplit=1)[0]
    if "@" in authority:
        raise ValueError("must not carry a user or password")
    name = host.rstrip(".").lower()
    # Brackets must hold an IPv6 address. Parsers disagree about anything else, and some of them raise.
    misread = "[" in authority and not (":" in host and is_address(host))
    if "%" in authority or not name or misread:
        raise ValueError(NO_HOST)
    if _NUMERIC.fullmatch(name) and not is_address(host):
        raise ValueError("must write an address as four decimal numbers")
    return host

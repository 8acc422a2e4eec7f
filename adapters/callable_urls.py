"""Which URLs of strangers can be called at all: those that every parser reads as the same host (C-25)."""

from __future__ import annotations

import re

from yarl import URL

from .public_addresses import is_address

NO_HOST = "must have a host that names can be looked up by"
_SCHEMES = ("http", "https")
# Printable ASCII without what parsers disagree about; other names have an ASCII form.
_PLAIN = re.compile(r"[!-\[\]-~]+")
# What a browser, and some resolver, would read as an IPv4 address.
_NUMERIC = re.compile(r"(?:.*\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)")


def host_of(text: str) -> str:
    """
    Return the host of a URL that can be called, which may yet have an address that may not.

    An IPv4 address is written as four decimal numbers: what else could be read as one is refused, as
    is a zone, a user, and all that parsers read in different ways. Raises `ValueError`.
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
    # A user may be empty, and a percent sign may hide anything from a dot to a zone.
    authority = text.partition("://")[2]
    authority = re.split(r"[/?#]", authority, maxsplit=1)[0]
    if "@" in authority:
        raise ValueError("must not carry a user or password")
    name = host.rstrip(".").lower()
    # What stands in brackets is an IPv6 address, or parsers disagree, and some of them raise.
    misread = "[" in authority and not (":" in host and is_address(host))
    if "%" in authority or not name or misread:
        raise ValueError(NO_HOST)
    if _NUMERIC.fullmatch(name) and not is_address(host):
        raise ValueError("must write an address as four decimal numbers")
    return host

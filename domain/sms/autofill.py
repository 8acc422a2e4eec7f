"""
The last line of an SMS by which phones fill its code in (C-87).

Browsers read a last line `@host #CODE` ("Origin-bound one-time codes delivered via SMS", WICG); an empty line
before it is for people. Chromium takes the first such words of a text, on any line (its `sms_parser.cc`).
Android's SMS Retriever hands a text with the hash of an app to that app; older versions wanted it at the end.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

MAX_HOST = 253
# Google's limits: of a whole text for WebOTP ("SMS OTP form best practices", web.dev), and for the SMS
# Retriever ("Perform SMS verification on a server"), which does not say in what encoding bytes are counted.
MOST_CHARACTERS = 140
MOST_BYTES = 140
HOST = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*"
    # An address of numbers has no site that a code could be bound to.
    r"(?![0-9]+\Z)[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
)
APP_HASH = re.compile(r"[A-Za-z0-9+/]{11}")
# As Chromium looks for a code.
_BOUND = re.compile(r"(?:^|\s)@([A-Za-z0-9.-]+) #([^#\s]+)", re.ASCII)


def a_host(_instance: object, _attribute: object, value: Any) -> None:
    """Check that a text is the host of a site; an attrs validator. None passes."""
    if value is not None and (len(value) > MAX_HOST or not HOST.fullmatch(value)):
        raise ValueError("must be a host such as shop.example, without https:// and without a port")


def an_app_hash(_instance: object, _attribute: object, value: Any) -> None:
    """Check that a text is the hash of an Android app; an attrs validator. None passes."""
    if value is not None and not APP_HASH.fullmatch(value):
        raise ValueError("must be the 11 characters that Android's tools compute for the app")


def bound_to_origin(text: str, host: str, code: str) -> str:
    """Return a text that browsers read for the site of a host."""
    return f"{text.rstrip()}\n\n@{host} #{code}"


def for_app(text: str, app_hash: str) -> str:
    """Return a text that Android hands to an app."""
    return f"{text.rstrip()}\n{app_hash}"


@frozen
class Readers:
    """
    Who finds the code in a text: browsers for a site, an Android app, or neither.

    `chrome` is false if an earlier `@host #CODE` hides the one that other browsers read.
    """

    browsers: bool
    app: bool
    chrome: bool


def readers_of(text: str, code: str) -> Readers:
    """Return who finds a code in a text as it goes out, whoever wrote its last line."""
    last = text.rpartition("\n")[2]
    bound = last.removesuffix(f" #{code}")
    host = bound[1:] if bound != last and bound.startswith("@") else ""
    site = len(host) <= MAX_HOST and HOST.fullmatch(host) is not None
    first = _BOUND.search(text)
    return Readers(
        browsers=site,
        app=APP_HASH.fullmatch(last) is not None and code in text,
        chrome=site and first is not None and first.groups() == (host, code),
    )

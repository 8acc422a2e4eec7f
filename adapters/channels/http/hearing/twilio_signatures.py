"""The signature of Twilio: an HMAC over the address and the members of the form."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

from .....application.ports.channels import Post
from .forms import form_members, is_form

_SETTINGS = "x-twilio-webhooks-signature-settings"
_HASHES = {"HMAC_SHA1": "sha1", "HMAC_SHA256": "sha256"}
_PORTS = {"https": 443, "http": 80}


def is_signed_by_twilio(secret: str, post: Post) -> bool:
    """
    Return whether a post has the signature of Twilio.

    It is the base64 of an HMAC over the address and over each name and value of the form, sorted. The
    address of another body ends in `bodySHA256`, its hash. Twilio signs the address with its port or
    without, so either is right. A signature by a shared key says so in a header of its own, and is made
    with SHA-256.
    """
    algorithm = _HASHES.get(_algorithm(post.headers.get(_SETTINGS, "")))
    if algorithm is None:
        return False
    try:
        signed = _signed_members(post)
        if signed is None:
            return False
        expected = [
            _signature(secret, address + signed, algorithm) for address in _addresses(post.url)
        ]
    except ValueError:
        return False
    given = post.headers.get("x-twilio-signature", "").encode(errors="replace")
    return any(hmac.compare_digest(given, each) for each in expected)


def _signature(secret: str, text: str, algorithm: str) -> bytes:
    return base64.b64encode(hmac.digest(secret.encode(), text.encode(), algorithm))


def _algorithm(settings: str) -> str:
    """Return the algorithm in `key=…,algorithm=HMAC_SHA256`; without the header it is HMAC_SHA1."""
    for part in settings.split(","):
        name, _, value = part.partition("=")
        if name.strip() == "algorithm" and value.strip():
            return value.strip().upper()
    return "HMAC_SHA1"


def _signed_members(post: Post) -> str | None:
    """Return the signed text after the address; None for a body that its address does not sign."""
    if is_form(post):
        # A repeated member is signed once.
        members = sorted({*form_members(post.body.decode())})
        return "".join(name + value for name, value in members)
    if not post.body:
        return ""
    hashes = parse_qs(urlsplit(post.url).query).get("bodySHA256", [""])
    expected = hashlib.sha256(post.body).hexdigest()
    same = hmac.compare_digest(hashes[0].encode(errors="replace"), expected.encode())
    return "" if same else None


def _addresses(url: str) -> Iterator[str]:
    """Generate the address with its port and without; both are tried, as Twilio's library does."""
    yield url
    scheme, separator, rest = url.partition("://")
    if not separator:
        return
    ends = [at for at in (rest.find(each) for each in "/?#") if at >= 0]
    end = min(ends, default=len(rest))
    authority, tail = rest[:end], rest[end:]
    host, colon, port = authority.rpartition(":")
    if colon and port.isdecimal():
        yield f"{scheme}://{host}{tail}"
    elif scheme in _PORTS:
        yield f"{scheme}://{authority}:{_PORTS[scheme]}{tail}"

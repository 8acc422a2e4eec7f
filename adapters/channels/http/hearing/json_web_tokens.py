"""Posts whose signature is a JSON Web Token over a hash of the body, as Vonage makes them."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import jwt

from .....application.ports.channels import Post

_BEARER = "bearer "
# The seconds by which the clocks of the two sides may differ.
_LEEWAY = 60
# PyJWT warns of shorter keys. HMAC itself fills a key with zeros to 64 bytes, so the result is the same.
_KEY_BYTES = 32
_LONGEST_TOKEN = 8_192
# The claims before which a token is not valid yet.
_BEGINS = ("nbf", "iat")
_TOKENS = jwt.PyJWS(algorithms=["HS256"])


def is_signed_by_token(secret: str, post: Post, now: datetime, header: str) -> bool:
    """
    Return whether a post has a token with HS256 whose `payload_hash` is the SHA-256 of its body.

    A token without that claim would be good for any body, so it is wrong. An expired token is wrong as
    well, and one from the future; a token without `exp` may be old, because a provider may repeat a
    post with the first token, and a repeated receipt changes nothing (D-205).
    """
    text = post.headers.get(header.lower(), "")
    token = text[len(_BEARER) :] if text[: len(_BEARER)].lower() == _BEARER else text
    if not token.isascii() or len(token) > _LONGEST_TOKEN:
        return False
    key = secret.encode().ljust(_KEY_BYTES, b"\0")
    try:
        claims = json.loads(_TOKENS.decode(token.strip(), key, algorithms=["HS256"]))
    except (jwt.PyJWTError, ValueError, RecursionError):
        return False
    if not isinstance(claims, dict) or not _is_current(claims, now.timestamp()):
        return False
    signed = claims.get("payload_hash")
    if not isinstance(signed, str) or not signed.isascii():
        return False
    return hmac.compare_digest(signed.lower(), hashlib.sha256(post.body).hexdigest())


def _is_current(claims: Mapping[str, Any], now: float) -> bool:
    """Return whether the times in a token, as far as there are any, allow its use now."""
    times = {name: claims[name] for name in ("exp", *_BEGINS) if claims.get(name) is not None}
    if any(isinstance(at, bool) or not isinstance(at, int | float) for at in times.values()):
        return False
    has_begun = all(times.get(name, now) - _LEEWAY <= now for name in _BEGINS)
    return bool(has_begun and now < times.get("exp", now) + _LEEWAY)

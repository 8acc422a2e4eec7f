"""
Signatures of providers' posts: a closed list of kinds, compared in constant time (C-63, C-70).

A signature that is missing, wrong or malformed raises `UnauthorizedError`, and so does a wrong secret.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

from .....application.ports.channels import Post
from .....domain.accounts.api_key import UnauthorizedError
from ....standard_webhooks import StandardWebhooksSigner
from ...comparing import is_same
from .json_web_tokens import is_signed_by_token
from .twilio_signatures import is_signed_by_twilio

TOKEN_NAME = "t"  # noqa: S105  the name of a member of the query
HASHES = ("sha1", "sha256", "sha512")
ENCODINGS = ("hex", "base64")
_JWT_HEADER = "authorization"
# The time by which a signature of Standard Webhooks may be off, as their libraries allow.
_TOLERANCE = timedelta(minutes=5)
_MOST_SIGNATURES = 10
_MOST_QUERY_MEMBERS = 100
_LONGEST_SECONDS = 12


class SignatureKind(StrEnum):
    """The kinds of signatures."""

    TWILIO = "twilio"
    HMAC = "hmac"
    JWT_HS256 = "jwt_hs256"
    STANDARD_WEBHOOKS = "standard_webhooks"
    QUERY_TOKEN = "query_token"  # noqa: S105  a kind

    @property
    def covers_the_query(self) -> bool:
        """Whether the query may be read: the other kinds sign the body alone."""
        return self in (SignatureKind.TWILIO, SignatureKind.QUERY_TOKEN)


def verify(signature: Mapping[str, Any], post: Post, now: datetime) -> None:
    """Raise `UnauthorizedError` unless the signature that the config describes is in the post."""
    secret = signature.get("secret")
    if not isinstance(secret, str) or not secret:
        raise UnauthorizedError
    try:
        is_right = _is_right(signature, secret, post, now)
    except UnicodeError:
        # A stray byte became an unpaired surrogate, which has no bytes to sign.
        is_right = False
    if not is_right:
        raise UnauthorizedError


def query_of(signature: Mapping[str, Any]) -> str:
    """Return the secret query that the provider has to call; it is empty for other kinds."""
    if signature["kind"] != SignatureKind.QUERY_TOKEN or signature.get("secret") is None:
        return ""
    return f"{TOKEN_NAME}={quote(signature['secret'], safe='')}"


def _is_right(signature: Mapping[str, Any], secret: str, post: Post, now: datetime) -> bool:
    match SignatureKind(signature["kind"]):
        case SignatureKind.TWILIO:
            return is_signed_by_twilio(secret, post)
        case SignatureKind.HMAC:
            return _has_hmac(signature, secret, post)
        case SignatureKind.JWT_HS256:
            header = signature.get("header", _JWT_HEADER)
            return is_signed_by_token(secret, post, now, header)
        case SignatureKind.STANDARD_WEBHOOKS:
            return _is_standard_webhook(secret, post, now)
        case SignatureKind.QUERY_TOKEN:
            return _has_token(secret, post)


def _has_hmac(signature: Mapping[str, Any], secret: str, post: Post) -> bool:
    algorithm = signature.get("algorithm", "sha256")
    digest = hmac.digest(secret.encode(), post.body, algorithm)
    if signature.get("encoding", "hex") == "hex":
        expected = digest.hex()
    else:
        expected = base64.b64encode(digest).decode()
    given = post.headers.get(signature["header"].lower(), "").strip()
    # Many providers put the algorithm before the signature: `sha256=9f…`.
    given = given.removeprefix(f"{algorithm}=")
    if signature.get("encoding", "hex") == "hex":
        given = given.lower()
    return is_same(given, expected)


def _is_standard_webhook(secret: str, post: Post, now: datetime) -> bool:
    seconds = post.headers.get("webhook-timestamp", "")
    if not (seconds.isascii() and seconds.isdecimal() and len(seconds) <= _LONGEST_SECONDS):
        return False
    signer = StandardWebhooksSigner()
    try:
        at = datetime.fromtimestamp(int(seconds), UTC)
        key = signer.secret_bytes(secret)
    except (ValueError, OverflowError, OSError):
        return False
    if abs(at - now) > _TOLERANCE:
        return False
    identifier = post.headers.get("webhook-id", "")
    if not identifier:
        return False
    expected = signer.headers(identifier, post.body, at, key)["webhook-signature"]
    # While a secret is changed, there are several signatures.
    given = post.headers.get("webhook-signature", "").split(" ")[:_MOST_SIGNATURES]
    return any(is_same(each, expected) for each in given)


def _has_token(secret: str, post: Post) -> bool:
    query = urlsplit(post.url).query
    try:
        members = parse_qsl(query, keep_blank_values=True, max_num_fields=_MOST_QUERY_MEMBERS)
    except ValueError:
        return False
    tokens = [value for name, value in members if name == TOKEN_NAME]
    return len(tokens) == 1 and is_same(tokens[0], secret)

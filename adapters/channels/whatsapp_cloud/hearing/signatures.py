"""The signature of Meta's posts: an HMAC over the raw body, with the app's secret (C-34)."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

from .....application.ports.channels import Post
from .....domain.accounts.api_key import UnauthorizedError

_HEADER = "x-hub-signature-256"
_PREFIX = "sha256="


def verify(config: Mapping[str, Any], post: Post) -> None:
    """Raise `UnauthorizedError` unless the app's secret has signed the body; compare in constant time."""
    secret = config.get("appSecret")
    if not isinstance(secret, str) or not secret:
        raise UnauthorizedError
    digest = hmac.digest(secret.encode(errors="surrogatepass"), post.body, "sha256").hex()
    given = post.headers.get(_HEADER, "").encode(errors="surrogatepass")
    if not hmac.compare_digest(given, f"{_PREFIX}{digest}".encode()):
        raise UnauthorizedError

"""The signature of Meta's posts: an HMAC over the raw body, with the app's secret (C-34)."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Any

from .....application.ports.channels import Post
from .....domain.accounts.api_key import UnauthorizedError
from ...comparing import is_same

_HEADER = "x-hub-signature-256"
_PREFIX = "sha256="


def verify(config: Mapping[str, Any], post: Post) -> None:
    """Raise `UnauthorizedError` unless the app's secret has signed the body."""
    secret = config.get("appSecret")
    if not isinstance(secret, str) or not secret:
        raise UnauthorizedError
    digest = hmac.digest(secret.encode(errors="surrogatepass"), post.body, "sha256").hex()
    if not is_same(post.headers.get(_HEADER, ""), f"{_PREFIX}{digest}"):
        raise UnauthorizedError

"""The setting `baseUrl`: the scheme and host of a provider's API (C-63)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from ....domain.errors import FieldProblem, ValidationFailedError

_ADDRESS = "baseUrl"


def api_address(config: Mapping[str, Any], default: str = "") -> str:
    """Return the scheme and host of the API; raises `ValidationFailedError` if `baseUrl` has more (C-99)."""
    address = str(config.get(_ADDRESS, default))
    parts = urlsplit(address)
    has_more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if has_more or "{" in address:
        wrong = "must be scheme and host, and a port if need be: https://api.example.com"
        raise ValidationFailedError([FieldProblem(f"config.{_ADDRESS}", wrong)])
    return f"{parts.scheme}://{parts.netloc}"

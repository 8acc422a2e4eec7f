"""Channel accounts of the provider `smpp`, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def config_of(port: int, **more: Any) -> Mapping[str, Any]:
    """Return the config of an account whose SMSC is on this machine."""
    return {
        "host": "127.0.0.1",
        "port": port,
        "systemId": "orchid",
        "password": "s3cret",
        **more,
    }

"""What commands that run until they are stopped have in common."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from attrs import field, frozen


@frozen(kw_only=True)
class Listener:
    """Where and how the endpoint is reached."""

    host: str
    port: int
    legacy_port: int | None
    public_url: str | None
    drain_timeout: float
    admin_token: str | None = field(repr=False)
    sandbox_public: bool

    def base(self, port: int) -> str:
        """Give the address that clients use, once the port is known."""
        return (self.public_url or self.at(port)).rstrip("/")

    def at(self, port: int) -> str:
        """Give the address of a port of this host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{port}"


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run a command's work on the fastest event loop there is."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)

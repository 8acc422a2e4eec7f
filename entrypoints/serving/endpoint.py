"""The endpoint of a service: its host, ports and token."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any

from attrs import field, frozen

MAIN, LEGACY, ADMIN, CONSOLE = "--port", "--legacy-port", "--admin-port", "--console-port"
# The ports that listeners are bound to, by the flags that choose them.
Ports = Mapping[str, int]


@frozen(kw_only=True)
class Endpoint:
    """Where and how clients reach the service."""

    host: str
    port: int
    legacy_port: int | None
    admin_port: int | None
    console_port: int | None
    no_console: bool
    console_url: str | None
    public_url: str | None
    drain_timeout: float
    admin_token: str | None = field(repr=False)
    sandbox_public: bool

    @property
    def wanted_ports(self) -> Mapping[str, int]:
        """Return the port that is wanted for each listener, by the flag that chooses it."""
        wanted = {
            MAIN: self.port,
            LEGACY: self.legacy_port,
            ADMIN: self.admin_port,
            CONSOLE: self.console_port if self.has_console else None,
        }
        return {flag: port for flag, port in wanted.items() if port is not None}

    @property
    def has_console(self) -> bool:
        """Whether there is a console: nobody signs in without an admin token (C-85)."""
        return self.admin_token is not None and not self.no_console

    @property
    def console_at(self) -> str:
        """The flag of the port that the console is on: its own, or the operators', or everybody's."""
        apart = (each for each in (CONSOLE, ADMIN) if each in self.wanted_ports)
        return next(apart, MAIN)

    @property
    def console_url_known(self) -> str | None:
        """The address before `/console` as browsers see it; None if it is that of the listener."""
        return self.console_url or (self.public_url if self.console_at == MAIN else None)

    def base(self, port: int) -> str:
        """Return the address that clients use, once the port is known."""
        return (self.public_url or self.at(port)).rstrip("/")

    def at(self, port: int) -> str:
        """Return the address of a port of this host."""
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

"""Allows access to the parts of a service while it is open (D-162)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from ..wired import Wired


class ServiceClosedError(RuntimeError):
    """The `async with` of the service has ended; it cannot be called any more."""

    def __init__(self) -> None:
        super().__init__("The service is closed. Open it anew with watchword.open.")


class Lease:
    """Holds the parts of a service until it ends."""

    def __init__(self, parts: Wired) -> None:
        self._parts: Wired | None = parts
        self._waiting: set[asyncio.Timeout] = set()

    @property
    def has_ended(self) -> bool:
        """Whether the service is closed."""
        return self._parts is None

    @property
    def parts(self) -> Wired:
        """The parts; raise `ServiceClosedError` once the service is closed."""
        if self._parts is None:
            raise ServiceClosedError
        return self._parts

    def end(self) -> None:
        """Release the parts, and end all waits for the next event; every later call raises."""
        self._parts = None
        for each in self._waiting:
            each.reschedule(0)

    @contextmanager
    def ends(self, wait: asyncio.Timeout) -> Iterator[None]:
        """Let a wait time out when the service ends while the block runs."""
        self._waiting.add(wait)
        try:
            yield
        finally:
            self._waiting.remove(wait)


class Facade:
    """The base class of the objects that embedders call; every call checks that the service is open."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease

    @property
    def _parts(self) -> Wired:
        return self._lease.parts

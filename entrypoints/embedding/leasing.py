"""The parts of a service, for as long as it is open (D-162)."""

from __future__ import annotations

from ..wiring import Wired


class ServiceClosedError(RuntimeError):
    """The `async with` of the service has ended; nothing of it can be called any more."""

    def __init__(self) -> None:
        super().__init__("The service is closed. Open it anew with watchword.open.")


class Lease:
    """Hands out the parts until it ends."""

    def __init__(self, parts: Wired) -> None:
        self._parts: Wired | None = parts

    @property
    def parts(self) -> Wired:
        """The parts; raises `ServiceClosedError` once the service is closed."""
        if self._parts is None:
            raise ServiceClosedError
        return self._parts

    def end(self) -> None:
        """Hand out nothing any more."""
        self._parts = None


class Facade:
    """What embedders call; every call asks for the parts anew."""

    def __init__(self, lease: Lease) -> None:
        self._lease = lease

    @property
    def _parts(self) -> Wired:
        return self._lease.parts

"""The sandbox's mirrors: a copy of each message for a load client on the same machine (C-39)."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class Mirrors:
    """Sends datagrams to loopback ports, fire and forget; one socket for each address."""

    def __init__(self) -> None:
        self._sockets: dict[str, socket.socket] = {}

    def send(self, url: str, text: str) -> None:
        """Send one datagram."""
        mirror = self._sockets.get(url)
        if mirror is None:
            address = mirror_address(url)
            if address is None:
                return
            family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
            mirror = self._sockets[url] = socket.socket(family, socket.SOCK_DGRAM)
            mirror.setblocking(False)
            mirror.connect(address)
        try:
            mirror.send(text.encode())
        except OSError:
            # No listener, or a slow one: mirrors are best effort.
            return

    def close(self) -> None:
        """Close the sockets."""
        for mirror in self._sockets.values():
            mirror.close()
        self._sockets.clear()


def mirror_address(url: object) -> tuple[str, int] | None:
    """Return host and port of a mirror's address; None if it is malformed or not on loopback."""
    if not isinstance(url, str):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme != "udp" or parts.hostname not in _LOOPBACK or not port:
        return None
    return ("127.0.0.1" if parts.hostname == "localhost" else parts.hostname, port)

"""One connection to an SMSC: what arrives is cut into PDUs, and PDUs are written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from .pdus import FrameReader, Pdu, PduError

# The octets that are read in one turn of the event loop: a thousand PDUs at most.
_ROOM = 16 * 1024


class Link(asyncio.BufferedProtocol):
    """
    A connection whose PDUs go to `take`; `lost` is called once, when it has ended.

    While the SMSC does not read what we write, nothing of it is read: its requests would only add answers.
    Bytes that are no PDU end the connection, since nobody knows where the next PDU begins.
    """

    def __init__(self, take: Callable[[Pdu], None], lost: Callable[[], None]) -> None:
        self._take = take
        self._lost = lost
        self._frames = FrameReader()
        # The TLS of asyncio reads into slices of it, which are copies of a bytearray.
        self._room = memoryview(bytearray(_ROOM))
        self._transport: asyncio.Transport | None = None
        # The PDUs of this turn of the event loop, which go in one write (D-275).
        self._unwritten: list[bytes] = []

    @property
    def is_open(self) -> bool:
        """Return whether PDUs can be written."""
        return self._transport is not None and not self._transport.is_closing()

    @property
    def tls_version(self) -> str | None:
        """Return the version of TLS, such as `TLSv1.3`; None without TLS."""
        if self._transport is None:
            return None
        secured = self._transport.get_extra_info("ssl_object")
        return None if secured is None else str(secured.version())

    def write(self, pdu: Pdu) -> None:
        """Write a PDU, unless the connection has ended."""
        if not self.is_open:
            return
        if not self._unwritten:
            asyncio.get_running_loop().call_soon(self._flush)
        self._unwritten.append(pdu.encode())

    def close(self) -> None:
        """End the connection, once what was written has left."""
        self._flush()
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """End the connection now."""
        self._flush()
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        # Also uvloop's, which are no subclasses of asyncio's.
        self._transport = cast(asyncio.Transport, transport)

    def get_buffer(self, sizehint: int) -> memoryview:
        """Return the room for what arrives."""
        return self._room

    def buffer_updated(self, nbytes: int) -> None:
        """Take what arrived; nothing behind the end of the connection counts."""
        try:
            for pdu in self._frames.feed(bytes(self._room[:nbytes])):
                if not self.is_open:
                    break
                self._take(pdu)
        except PduError:
            self.abort()

    def eof_received(self) -> None:
        """Close the connection, as the SMSC did."""

    def pause_writing(self) -> None:
        """Read nothing until the SMSC has read what was written."""
        if self._transport is not None:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        """Read again."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell that the connection has ended."""
        self._transport = None
        self._unwritten.clear()
        self._lost()

    def _flush(self) -> None:
        unwritten, self._unwritten = self._unwritten, []
        if unwritten and self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"".join(unwritten))

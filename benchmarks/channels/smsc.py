"""
The least that an SMSC can be: it accepts every bind, and answers every other request with a new id.

`python -m benchmarks.channels.smsc`; with `--silent` it takes messages and never answers them.
"""

from __future__ import annotations

import asyncio
import struct
import sys
from itertools import count
from typing import cast

from .. import event_loop

_HEADER = struct.Struct("!IIII")
_SUBMIT = 0x0000_0004
_RESPONSE = 0x8000_0000


class Smsc(asyncio.Protocol):
    """One session. All that came in one read is answered in one write."""

    def __init__(self, numbers: count[int], silent: bool) -> None:
        self._numbers = numbers
        self._silent = silent
        self._left = b""
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the way back."""
        # Also uvloop's, which are no subclasses of asyncio's.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Answer each whole request."""
        buffer, at, answers = self._left + data, 0, []
        while len(buffer) - at >= _HEADER.size:
            length, command, _, sequence = _HEADER.unpack_from(buffer, at)
            if len(buffer) - at < length:
                break
            at += length
            if command == _SUBMIT and self._silent:
                continue
            body = b"smsc-%d\0" % next(self._numbers)
            length = _HEADER.size + len(body)
            answers.append(_HEADER.pack(length, command | _RESPONSE, 0, sequence) + body)
        self._left = buffer[at:]
        self._transport.write(b"".join(answers))


async def main() -> None:
    """Listen on a free port of loopback and print it; stop with the process."""
    numbers, silent = count(1), "--silent" in sys.argv
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Smsc(numbers, silent), "127.0.0.1", 0)
    print(f"smpp://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    event_loop.run(main())

"""
The load client: prints its phone's port, then runs one load per line of its input.

It is a separate process, so that its CPU time is not the server's. Its CPU time is measured too, to show
when it is the bottleneck.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import socket
import sys
import time

import msgspec

from . import event_loop
from .cycles import Connection, Course
from .loads import Latency, Load, Tally

_STALLED_SECONDS = 5.0
_BUFFER = 1 << 20


class Phones(asyncio.DatagramProtocol):
    """Receive the codes, and notify the connection that waits for each."""

    def __init__(self) -> None:
        self.waiting: dict[bytes, Connection] = {}

    def datagram_received(self, data: bytes, _: object) -> None:
        """Receive `<destination> <code>`; drop a code without a waiting connection."""
        destination, _, code = data.rpartition(b" ")
        connection = self.waiting.pop(destination, None)
        if connection is not None:
            connection.ring(code)


async def run(load: Load, phones: Phones, first: int) -> Tally:
    """Run a load whose cycles are numbered from `first`."""
    course = Course(load, first)
    course.phones = phones.waiting = {}
    loop = asyncio.get_running_loop()
    connections = []
    for _, port in zip(range(min(load.connections, load.cycles)), itertools.cycle(load.ports)):
        connections.append(
            (await loop.create_connection(lambda: Connection(course), "127.0.0.1", port))[1]
        )
    cpu = time.process_time()
    course.begun_at = course.ended_at = time.perf_counter()
    for connection in connections:
        connection.begin()
    await _until_over(course, connections)
    return Tally(
        done=len(course.verifies),
        failed=course.failed,
        first_failure=course.first_failure,
        seconds=course.ended_at - course.begun_at,
        client_cpu_seconds=time.process_time() - cpu,
        create=Latency.of(course.creates),
        verify=Latency.of(course.verifies),
    )


async def _until_over(course: Course, connections: list[Connection]) -> None:
    left = {connection.over for connection in connections}
    while left:
        _, left = await asyncio.wait(left, timeout=_STALLED_SECONDS)
        if left and time.perf_counter() - course.ended_at > _STALLED_SECONDS:
            for connection in connections:
                if not connection.over.done():
                    connection.abandon()


async def main() -> None:
    """Run loads until the input ends."""
    loop = asyncio.get_running_loop()
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
    line.bind(("127.0.0.1", 0))
    _, phones = await loop.create_datagram_endpoint(Phones, sock=line)
    print(f"udp://127.0.0.1:{line.getsockname()[1]}", flush=True)
    first = 1
    # Requests create no reference cycles, and a collection would distort the measurement.
    gc.disable()
    while told := await asyncio.to_thread(sys.stdin.readline):
        load = msgspec.json.decode(told, type=Load)
        tally = await run(load, phones, first)
        first += load.cycles
        print(msgspec.json.encode(tally).decode(), flush=True)


if __name__ == "__main__":
    event_loop.run(main())

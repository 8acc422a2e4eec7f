"""
The memory of sends that wait, because their counterpart takes them and does not answer.

`python -m benchmarks.channels.waiting smpp PORT 100000` prints the bytes for each.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from contextlib import AbstractAsyncContextManager

from .. import event_loop
from ..machine import usage
from .sending import Send, by_http, by_smpp

# The connections that a channel account has by default; its other sends wait before them.
_CONNECTIONS = 64
_WINDOW = 10


async def main(kind: str, port: int, sends: int) -> None:
    """Let sends begin and wait, and print what each takes."""
    ways: dict[str, AbstractAsyncContextManager[Send]] = {
        "http": by_http(f"http://127.0.0.1:{port}/messages"),
        "smpp": by_smpp(port, _WINDOW),
    }
    async with ways[kind] as send:
        gate = asyncio.Semaphore(_CONNECTIONS if kind == "http" else sends + 1)

        async def one(number: int) -> None:
            async with gate:
                await send(number)

        tasks = [asyncio.create_task(one(0))]
        await _all_wait(1)
        before = _resident()
        tasks += [asyncio.create_task(one(number)) for number in range(1, sends + 1)]
        await _all_wait(sends)
        print((_resident() - before) / sends, flush=True)
        # To cancel each would take seconds.
        os._exit(0)


async def _all_wait(sends: int) -> None:
    """Let so many tasks go on until each waits for something else than its turn."""
    for _ in range(20):
        await asyncio.sleep(0.01 + sends * 1e-6)


def _resident() -> int:
    gc.collect()
    found = usage(os.getpid())
    assert found is not None
    return found.resident


if __name__ == "__main__":
    event_loop.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))

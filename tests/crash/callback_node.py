"""
A node that issues PINs until it is killed, again and again, with imports paid for once.

Each node is a fork of this process, with its own loop, store and worker. Arguments: the store, the data
directory, the number of nodes to kill, a seed. The standard output has the ids of PINs whose appends had
returned.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time

# Imported here once: importing them in each node took longer than the node's whole life.
import watchword.adapters.event_store.postgres.store
import watchword.adapters.event_store.sqlite.store  # noqa: F401  as above
from watchword.entrypoints.embedding.service import open as open_service

BURST = 4


async def issue_until_killed(store: str, data_dir: str, number: int) -> None:
    """Issue PINs in bursts, and say which are durable."""
    async with open_service(
        store, data_dir=data_dir, sandbox=True, allow_private_urls=True
    ) as service:
        os.write(1, b"ready\n")
        for burst in range(1_000_000):
            issued = await asyncio.gather(
                *(
                    service.pins.issue("demo", "tpl_demo", f"+15{number:03}{burst:04}{each}9")
                    for each in range(BURST)
                )
            )
            os.write(1, "".join(f"{pin.pin_id}\n" for pin in issued).encode())


def main(store: str, data_dir: str, kills: int, seed: int) -> None:
    """Fork nodes and kill them, each at a random moment of its work."""
    chance = random.Random(seed)
    for number in range(kills):
        reads, writes = os.pipe()
        pid = os.fork()
        if not pid:
            os.dup2(writes, 1)
            os.close(reads)
            asyncio.run(issue_until_killed(store, data_dir, number))
            os._exit(1)
        os.close(writes)
        with os.fdopen(reads, "rb") as reader:
            assert b"ready\n" == reader.readline()
            for _ in range(BURST * chance.randint(0, 2)):
                os.write(1, reader.readline())
            # Not a wait for something: this is how long the node goes on.
            time.sleep(chance.uniform(0, 0.1))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            # Its output before it died; the last line may be torn.
            for line in reader:
                if line.endswith(b"\n"):
                    os.write(1, line)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))

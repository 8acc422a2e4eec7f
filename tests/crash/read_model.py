"""
A program that issues PINs, and follows the log into a read model of its own until it is killed.

Its arguments are the store, the file of the read model, and a number that makes its destinations its own.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys

import watchword

CODE_KEY = f"1:{'A' * 43}="
_TABLES = """
CREATE TABLE IF NOT EXISTS issued (position INTEGER, pin TEXT, destination TEXT);
CREATE TABLE IF NOT EXISTS position (kept INTEGER NOT NULL);
"""


async def follow(service: watchword.Service, kept: sqlite3.Connection) -> None:
    """Write a row of each PIN, and the position of each event, in one transaction."""
    ((after,),) = kept.execute("SELECT coalesce(max(kept), 0) FROM position").fetchall()
    async for each in service.events.follow(after):
        with kept:
            if each.type == "PinIssued":
                destination = watchword.to_json(each, mask=False)["data"]["destination"]
                row = (each.position, each.stream, destination)
                kept.execute("INSERT INTO issued VALUES (?, ?, ?)", row)
            kept.execute("DELETE FROM position")
            kept.execute("INSERT INTO position VALUES (?)", (each.position,))


async def issue(service: watchword.Service, run: int) -> None:
    """Issue PINs without an end, and tell of each."""
    for each in range(10_000):
        # No number of the sandbox that ends as one that is refused.
        destination = f"+9198{run:03}{each:04}9"
        issued = await service.pins.issue("demo", "tpl_demo", destination)
        sys.stdout.write(f"{issued.pin_id} {destination}\n")
        sys.stdout.flush()


async def main(store: str, file: str, run: int) -> None:
    """Do both at once."""
    kept = sqlite3.connect(file)
    kept.executescript(_TABLES)
    async with (
        watchword.open(store, sandbox=True, code_key=CODE_KEY) as service,
        asyncio.TaskGroup() as tasks,
    ):
        tasks.create_task(follow(service, kept))
        tasks.create_task(issue(service, run))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))

"""The carrier of npm's `smpp`, in a process of its own."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import define, field

from tests.counterparts.carriers import Carrier, Part
from tests.crash.waiting import until

SCRIPT = Path(__file__).parents[2] / "tools" / "counterparts" / "smsc.mjs"


@define
class NpmCarrier(Carrier):
    """
    `tools/counterparts/smsc.mjs`; its packages are those of `make counterparts-packages`.

    With a file of a key and its certificate, it demands TLS.
    """

    pem: Path | None = None
    _process: asyncio.subprocess.Process | None = None
    _reading: asyncio.Task[None] | None = None
    _listening: asyncio.Event = field(factory=asyncio.Event)

    async def start(self) -> None:
        """Start the process."""
        node = shutil.which("node")
        assert node is not None, "Install node 20 or newer."
        self._process = await asyncio.create_subprocess_exec(
            node,
            str(SCRIPT),
            str(self.port),
            *([] if self.pem is None else [str(self.pem)]),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        self._listening.clear()
        self._reading = asyncio.create_task(self._read(self._process))
        async with asyncio.timeout(10):
            await self._listening.wait()

    async def stop(self) -> None:
        """Kill the process."""
        assert self._process is not None
        assert self._reading is not None
        self._process.kill()
        await self._process.wait()
        await self._reading

    async def throttle(self, times: int) -> None:
        """Refuse the next messages as too many."""
        self._order({"do": "throttle", "times": times})

    async def say(self, phone: str, to: str, *texts: str, unicode: bool = False) -> None:
        """Send a person's message, and wait until its parts are answered."""
        before = len(self.answered)
        coding = 8 if unicode else 0
        self._order({"do": "say", "from": phone, "to": to, "texts": texts, "coding": coding})
        await until(lambda: len(self.answered) >= before + len(texts))

    def _order(self, order: Mapping[str, Any]) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self._note(json.loads(line))

    def _note(self, told: Mapping[str, Any]) -> None:
        if "listening" in told:
            self.port = told["listening"]
            self._listening.set()
        elif "bound" in told:
            assert (self.system_id, self.password) == (told["systemId"], told["password"])
            self.binds.append(told["bound"])
        elif "submit" in told:
            header = bytes.fromhex(told["header"])
            self.parts.append(Part(told["submit"], told["from"], told["to"], told["text"], header))
        else:
            self.answered.append(told["answered"])

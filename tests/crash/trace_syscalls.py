"""
Every acknowledgement leaves after its events are synced, seen from the kernel's side (R11).

Run by `make test-syscalls`, not with the other tests: it needs strace, which not every machine has or
allows. `test_failing_statements.py` shows the same order with every test run, up to the commit.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from attrs import define, field

from tests.crash.load import Client, set_up
from tests.crash.notebook import Notebook
from tests.crash.server import connected, serving

REQUESTS = 100
_READS = {"read", "recvfrom", "recvmsg"}
_SYNCS = {"fdatasync", "fsync"}
_WRITES = {"pwrite64", "pwritev", "write", "writev", "sendto", "sendmsg"}
_UNFINISHED = re.compile(r"^(\d+) (\w+)\((.*) <unfinished \.\.\.>$")
_RESUMED = re.compile(r"^(\d+) <\.\.\. (\w+) resumed>(.*)$")
_WHOLE = re.compile(r"^(\d+) (\w+)\((.*)$")
_REQUEST = re.compile(r'"POST /v1/pins')
_ANSWER = re.compile(r'"HTTP/1\.1 (200|201|422) ')


@define
class Trace:
    """The system calls of a server, for requests that come one after the other."""

    unsynced: int = 0
    synced: int = 0
    syncs: int = 0
    answers: int = 0
    too_early: list[str] = field(factory=list)
    _begun: dict[str, str] = field(factory=dict)

    def read(self, line: str) -> None:
        """Take one line in, in the order of the calls: writes by their begin, all else by its end."""
        if begun := _UNFINISHED.match(line):
            self._begun[begun[1]] = begun[3]
            if begun[2] in _WRITES:
                self._called(begun[2], begun[3])
        elif ended := _RESUMED.match(line):
            rest = self._begun.pop(ended[1], "") + ended[3]
            if ended[2] not in _WRITES:
                self._called(ended[2], rest)
        elif whole := _WHOLE.match(line):
            self._called(whole[2], whole[3])

    def _called(self, call: str, rest: str) -> None:
        if call in _READS:
            if _REQUEST.search(rest):
                self.synced = 0
        elif "-wal>" in rest:
            if call in _WRITES:
                self.unsynced += 1
            elif rest.endswith("= 0"):
                self.syncs += 1
                self.synced, self.unsynced = self.synced + self.unsynced, 0
        elif _ANSWER.search(rest):
            self.answers += 1
            if self.unsynced or not self.synced:
                self.too_early.append(rest)


async def test_an_answer_leaves_after_its_events_are_synced(tmp_path: Path) -> None:
    """Each of 100 answers leaves after an fdatasync of the log behind its writes."""
    assert shutil.which("strace"), "This test needs strace. Install it, or run `make test`."
    log = tmp_path / "strace.log"
    # -D leaves the server the process that was started; -y names the files; -f follows its threads.
    calls = ",".join(sorted(_READS | _SYNCS | _WRITES))
    strace = ("strace", "-e", f"trace={calls}", "-D", "-f", "-y", "-s", "64", "-o", str(log))
    notebook = Notebook()
    async with serving(tmp_path, under=strace) as server, connected(server) as session:
        client = Client(session, notebook)
        templates = await set_up(session)
        await _acknowledged(client, templates.many, 3)  # and the first use of the key is noted
        before = log.stat().st_size
        await _acknowledged(client, templates.many, REQUESTS)
        server.terminate()
        await server.ended(30)
    trace = Trace()
    for line in log.read_bytes()[before:].decode(errors="replace").splitlines():
        trace.read(line)
    print(f"{trace.answers} answers, {trace.syncs} syncs, {len(trace.too_early)} too early")  # noqa: T201  the numbers are what it is run for

    assert [] == trace.too_early
    assert REQUESTS == trace.answers


async def _acknowledged(client: Client, template: str, count: int) -> None:
    """Have so many requests acknowledged, one after the other: creates, wrong guesses, resends."""
    pin = ""
    for number in range(count):
        asked = client.notebook.new_request_id().removeprefix("load-")
        destination = f"+1558{int(asked):07}9"
        body = {"destination": destination, "templateId": template}
        match number % 3:
            case 0:
                exchange = await client.post("create", "/v1/pins", body)
                pin = f"/v1/pins/{exchange.content['pinId']}"
            case 1:
                exchange = await client.post("verify", f"{pin}/verify", {"pin": "wrong"})
            case _:
                exchange = await client.post("resend", f"{pin}/resend", {})

        assert exchange.status in (201, 422, 200)

"""Kannel's programs, each a process: the gateway with a fake SMSC, and `drive_smpp`, which is an SMSC."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from urllib.parse import unquote_to_bytes

from attrs import frozen

from tests.crash.waiting import until

USER, PASSWORD = "orchid", "s3cret"
# Where the package kannel-extras has them.
_TESTS = Path("/usr/lib/kannel/test")
_ENVIRONMENT = {"PATH": f"{os.environ['PATH']}:/usr/sbin"}
_CORE = """
group = core
admin-port = {admin}
admin-password = {password}
admin-interface = 127.0.0.1
smsbox-port = {boxes}
smsbox-interface = 127.0.0.1
box-allow-ip = 127.0.0.1
box-deny-ip = "*.*.*.*"
dlr-storage = internal
"""
_GATEWAY = """
group = smsc
smsc = fake
smsc-id = fake
port = {fake}
connect-allow-ip = 127.0.0.1

group = smsbox
bearerbox-host = 127.0.0.1
sendsms-port = {sendsms}
sendsms-interface = 127.0.0.1

group = sendsms-user
username = {user}
password = {password}
concatenation = true
max-messages = 10

group = sms-service
keyword = default
get-url = "{inbound}"
max-messages = 0
catch-all = true
"""
_GOT = re.compile(r"Got message \d+: <\S+ (\S+) (text|ucs-2|udh \S+ data) (.*)>$", re.MULTILINE)


def free_ports(count: int) -> Sequence[int]:
    """Return ports that nobody listens on; Kannel chooses none by itself."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@frozen
class Phones:
    """What the client of the fake SMSC shows: the messages that came to it."""

    log: Path

    @property
    def texts(self) -> Mapping[str, str]:
        """Return the text that came to each number, its parts joined in the order in which they came."""
        found: dict[str, bytes] = {}
        for to, kind, shown in _GOT.findall(self.log.read_text()):
            octets = shown.encode() if kind == "text" else unquote_to_bytes(shown.replace("+", " "))
            found[to] = found.get(to, b"") + octets
        return {to: _read(octets) for to, octets in found.items()}


def _read(octets: bytes) -> str:
    """Return what is in UTF-8 or UTF-16; of long messages it is not said which."""
    try:
        text = octets.decode()
    except UnicodeDecodeError:
        return octets.decode("utf-16-be")
    return octets.decode("utf-16-be") if "\0" in text else text


@asynccontextmanager
async def gateway(
    folder: Path, sendsms: int, inbound: str, *said: tuple[str, str, str]
) -> AsyncIterator[Phones]:
    """
    Run bearerbox and smsbox, with a fake SMSC behind them.

    `inbound` is the URL that Kannel calls with each person's message, and `said` are these messages: who
    wrote to whom, and what.
    """
    admin, boxes, fake = free_ports(3)
    conf = folder / "kannel.conf"
    values = {"admin": admin, "boxes": boxes, "user": USER, "password": PASSWORD}
    values |= {"fake": fake, "sendsms": sendsms, "inbound": inbound}
    conf.write_text((_CORE + _GATEWAY).format(**values))
    messages = [f"{phone} {to} text {text}" for phone, to, text in said]
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(_running(folder / "bearerbox.log", "bearerbox", conf))
        await _listens(fake)
        await _listens(boxes)
        await stack.enter_async_context(_running(folder / "smsbox.log", "smsbox", conf))
        log = folder / "fakesmsc.log"
        client = [_TESTS / "fakesmsc", "-H", "127.0.0.1", "-r", fake, "-m", len(messages)]
        # Without a message to send it does not start.
        client += messages or ["1 2 text none"]
        await stack.enter_async_context(_running(log, *client))
        await _listens(sendsms)
        yield Phones(log)


@asynccontextmanager
async def driven_smsc(folder: Path, port: int, messages: int) -> AsyncIterator[Path]:
    """Run `drive_smpp`, which sends so many messages to a receiver; yield its log."""
    admin, boxes = free_ports(2)
    conf = folder / "drive_smpp.conf"
    conf.write_text(_CORE.format(admin=admin, boxes=boxes, password=PASSWORD))
    log = folder / "drive_smpp.log"
    command = [_TESTS / "drive_smpp", "-v", "0", "-p", port, "-m", messages, "-c", conf]
    async with _running(log, *command):
        await until(lambda: "accept_thread) maps" in log.read_text())
        yield log


@asynccontextmanager
async def _running(log: Path, *command: object) -> AsyncIterator[None]:
    with log.open("wb") as file:
        process = await asyncio.create_subprocess_exec(
            *(str(each) for each in command),
            stdout=file,
            stderr=file,
            cwd=log.parent,
            env=_ENVIRONMENT,
        )
    try:
        yield
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _listens(port: int) -> None:
    async with asyncio.timeout(10):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.02)
            else:
                writer.close()
                return

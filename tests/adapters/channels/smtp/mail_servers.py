"""Mail servers for tests: aiosmtpd's, and a scripted one that misbehaves."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword


class Mailroom:
    """
    The handler of aiosmtpd: keeps the mails that it took.

    `replies` has replies by command (`MAIL`, `RCPT`, `DATA`) in place of the good ones; `nobody` is an
    address that it does not know.
    """

    def __init__(self) -> None:
        self.taken: list[Envelope] = []
        self.logins: list[tuple[str, bytes, bytes]] = []
        self.tls: list[bool] = []
        self.connections = 0
        self.replies: dict[str, str] = {}
        self.nobody = "nobody@example.com"

    @property
    def contents(self) -> list[bytes]:
        """Return the mails as they came."""
        return [each.original_content or b"" for each in self.taken]

    async def handle_MAIL(
        self, server: SMTP, session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Reply to the sender."""
        reply = self.replies.get("MAIL", "250 OK")
        if reply.startswith("2"):
            envelope.mail_from = address
        return reply

    async def handle_RCPT(
        self, server: SMTP, session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Reply to the recipient."""
        reply = self.replies.get("RCPT", "550 nobody" if address == self.nobody else "250 OK")
        if reply.startswith("2"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Envelope) -> str:
        """Keep the mail, unless it is refused."""
        reply = self.replies.get("DATA", "250 OK")
        if reply.startswith("2"):
            self.taken.append(envelope)
            assert server.transport is not None
            self.tls.append(server.transport.get_extra_info("sslcontext") is not None)
        return reply

    def authenticate(
        self, server: SMTP, session: Any, envelope: Envelope, mechanism: str, data: LoginPassword
    ) -> AuthResult:
        """Know one login."""
        self.logins.append((mechanism, data.login, data.password))
        good = (data.login, data.password) == (b"orchid", b"s3cret")
        return AuthResult(success=good, handled=False)


@asynccontextmanager
async def aiosmtpd_server(
    room: Mailroom,
    *,
    implicit: ssl.SSLContext | None = None,
    starttls: ssl.SSLContext | None = None,
    **options: Any,
) -> AsyncIterator[int]:
    """Yield the port of a mail server of aiosmtpd's."""
    loop = asyncio.get_running_loop()
    protocols: list[SMTP] = []

    def protocol() -> SMTP:
        room.connections += 1
        made = SMTP(
            room,
            hostname="mail.example.com",
            loop=loop,
            tls_context=starttls,
            require_starttls=starttls is not None,
            authenticator=room.authenticate,
            **options,
        )
        protocols.append(made)
        return made

    server = await loop.create_server(protocol, "127.0.0.1", 0, ssl=implicit)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for each in protocols:
            if isinstance(each.transport, asyncio.WriteTransport):
                each.transport.abort()
            if each._handler_coroutine is not None:
                each._handler_coroutine.cancel()
                await asyncio.gather(each._handler_coroutine, return_exceptions=True)


Reply = bytes | None
# The connection is closed in place of a reply.
CUT = b"CUT"


class ScriptedServer:
    """
    A mail server that replies to each command as `replies` says, by its first word.

    None is silence, `CUT` closes. `GREETING` and `.` stand for the greeting and the end of a mail.
    `hangs_up` closes after the reply to a mail; `otherwise` is the reply to any other command.
    """

    def __init__(
        self,
        replies: Mapping[str, Reply] | None = None,
        *,
        hangs_up: bool = False,
        otherwise: bytes = b"250 OK\r\n",
        pauses: bool = False,
    ) -> None:
        self._otherwise = otherwise
        self._pauses = pauses
        self.may_read = asyncio.Event()
        self.connections = 0
        self._hangs_up = hangs_up
        self.replies: dict[str, Reply] = {
            "GREETING": b"220 mail.example.com\r\n",
            "EHLO": b"250-mail.example.com\r\n250 8BITMIME\r\n",
            "DATA": b"354 go on\r\n",
            **(replies or {}),
        }
        self.commands: list[bytes] = []
        self.mails: list[bytes] = []
        self.asked = asyncio.Event()
        self.ended = asyncio.Event()
        self._tasks: set[asyncio.Task[Any]] = set()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[int]:
        """Yield the port."""
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            if await self._reply("GREETING", writer):
                while line := await reader.readline():
                    if not await self._hear(line, reader, writer):
                        break
        except ConnectionError:
            pass
        finally:
            self.ended.set()
            writer.close()

    async def _hear(
        self, line: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        self.commands.append(line.rstrip(b"\r\n"))
        verb = line.split(b" ")[0].strip().decode().upper()
        if not await self._reply(verb, writer):
            return False
        reply = self.replies.get(verb)
        if verb == "DATA" and isinstance(reply, bytes) and reply.startswith(b"354"):
            mail = bytearray(await reader.readline())
            if self._pauses:
                self.asked.set()
                await self.may_read.wait()
            while not mail.endswith(b"\r\n.\r\n"):
                if not (more := await reader.readline()):
                    return False
                mail += more
            self.mails.append(bytes(mail))
            return await self._reply(".", writer) and not self._hangs_up
        return True

    async def _reply(self, verb: str, writer: asyncio.StreamWriter) -> bool:
        reply = self.replies.get(verb, self._otherwise)
        if reply is None:
            self.asked.set()
        elif reply == CUT:
            return False
        else:
            writer.write(reply)
            await writer.drain()
        return True

"""
An SMSC for tests that does what its script says; its codecs are those of smpp34 and aiosmpplib, and not ours.

`async with Smsc() as smsc:` listens on `smsc.port` of the loopback address. It accepts every bind and every
submit_sm, until a test appends to `smsc.bind_answers` or `smsc.answers` what it does with the next ones
(`answers.py` has them), or sets `smsc.bind_answer` or `smsc.answer`, which it does with all others.
`smsc.binds` and `smsc.submits` are what came, `smsc.push(pdu)` sends a deliver_sm (`deliveries.py`), and
`smsc.until(condition)` waits. For cuts at a byte, put `FaultyTcp` in front.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import Self

import smpp34
from attrs import define, field, frozen

from tests.adapters.channels.smpp.pdus import (
    BINDS,
    INVALID_COMMAND_ID,
    RESPONSE_BIT,
    Bind,
    Command,
    Header,
    nack,
    response,
)

_LONGEST = 70_000


@frozen(eq=False)
class Submit:
    """A submit_sm that came: `pdu` is decoded by smpp34."""

    session: Session
    sequence: int
    pdu: smpp34.SubmitSm
    raw: bytes

    def accept(self, message_id: str | None = None) -> None:
        """Answer with an id: the next of the SMSC's own, or this one."""
        self.respond(0, self.session.smsc.next_id() if message_id is None else message_id)

    def respond(self, status: int, message_id: str = "", sequence: int | None = None) -> None:
        """Answer with a submit_sm_resp, now or later, with the submit's own sequence number or another."""
        sequence = self.sequence if sequence is None else sequence
        self.session.send(response(Command.SUBMIT_SM, sequence, status, message_id))

    def nack(self, status: int, sequence: int | None = None) -> None:
        """Answer with a generic_nack."""
        self.session.send(nack(self.sequence if sequence is None else sequence, status))


@define(eq=False)
class Delivery:
    """A deliver_sm that was pushed, and the status it was answered with; None is no answer yet."""

    session: Session
    sequence: int
    status: int | None = None
    answers: int = 0

    @property
    def ended(self) -> bool:
        """Whether it was answered, or never will be, because its session has ended."""
        return self.status is not None or self.session.ended


@define(eq=False)
class Session:
    """
    A connection of a client, and what it bound as.

    `commands` are the ids of all its PDUs, in order. `send` writes any bytes, in one segment.
    """

    smsc: Smsc
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    bind: Bind | None = None
    bound: bool = False
    ended: bool = False
    commands: list[int] = field(factory=list)
    unanswered: dict[int, Delivery] = field(factory=dict)
    sequences: Iterator[int] = field(factory=lambda: count(1))

    @property
    def tls(self) -> bool:
        """Whether it is encrypted."""
        return self.writer.get_extra_info("sslcontext") is not None

    @property
    def hears(self) -> bool:
        """Whether a deliver_sm may be sent to it."""
        return self.bound and self.bind is not None and self.bind.hears and not self.ended

    def send(self, *pdus: bytes) -> None:
        """Write PDUs, or other bytes, in one segment."""
        if not self.ended:
            self.writer.write(b"".join(pdus))

    def cut(self) -> None:
        """Close the connection, once what was written has left."""
        self.ended = True
        self.writer.close()
        self.smsc.changed()

    def answer_bind(self, status: int = 0, *more: bytes) -> None:
        """Accept or refuse the bind, with more PDUs in the same segment."""
        assert self.bind is not None
        self.bound = status == 0
        self.send(response(self.bind.command, self.bind.sequence, status, "smsc"), *more)

    async def read(self) -> None:
        """Read PDUs until the end of the connection, and answer each."""
        while head := await self.reader.read(16):
            head += await self.reader.readexactly(16 - len(head))
            header = Header.of(head)
            assert 16 <= header.length <= _LONGEST, header
            raw = head + await self.reader.readexactly(header.length - 16)
            self.commands.append(header.command)
            if not self.smsc.silent:
                self._take(header, raw)
            self.smsc.changed()

    def _take(self, header: Header, raw: bytes) -> None:
        match header.command:
            case command if command in BINDS:
                self.bind = Bind.of(raw)
                self.smsc.take_bind(self)
            case Command.SUBMIT_SM:
                pdu = smpp34.decode(raw)
                assert isinstance(pdu, smpp34.SubmitSm)
                self.smsc.take(Submit(self, header.sequence, pdu, raw))
            case Command.DELIVER_SM_RESP:
                delivery = self.unanswered[header.sequence]
                delivery.status, delivery.answers = header.status, delivery.answers + 1
            case Command.ENQUIRE_LINK | Command.UNBIND as command:
                self.send(response(command, header.sequence))
            case command if not command & RESPONSE_BIT:
                self.send(nack(header.sequence, INVALID_COMMAND_ID))


Answer = Callable[[Submit], None]
BindAnswer = Callable[[Session], None]


class Smsc:
    """
    The server. `silent` lets it read and answer nothing; `tls` is the context of a server that demands TLS.

    `sessions` are all connections, `binds` all binds, also refused ones, and `submits` every submit_sm. With
    `new_id` the test makes the message ids.
    """

    host = "127.0.0.1"

    def __init__(
        self, tls: ssl.SSLContext | None = None, new_id: Callable[[], str] | None = None
    ) -> None:
        numbers = count(1)
        self.next_id = new_id or (lambda: f"smsc-{next(numbers)}")
        self.port = 0
        self.silent = False
        self.sessions: list[Session] = []
        self.binds: list[Bind] = []
        self.submits: list[Submit] = []
        self.answers: deque[Answer] = deque()
        self.bind_answers: deque[BindAnswer] = deque()
        self.answer: Answer = Submit.accept
        self.bind_answer: BindAnswer = Session.answer_bind
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Listen on a port that the system chooses."""
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection and the port."""
        await self.stop()

    async def start(self) -> None:
        """Listen, after a stop on the same port as before."""
        self._server = await asyncio.start_server(
            self._serve, self.host, self.port, ssl=self._tls, reuse_address=True
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close every connection and the port, as a restart does."""
        if self._server is not None:
            self._server.close()
        for each in self.sessions:
            each.cut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def bound(self) -> list[Session]:
        """Return the sessions that are bound now."""
        return [each for each in self.sessions if each.bound and not each.ended]

    def push(self, pdu: bytes, session: Session | None = None) -> Delivery:
        """Send a deliver_sm to the last session that hears, or to this one."""
        session = session or [each for each in self.sessions if each.hears][-1]
        delivery = Delivery(session, next(session.sequences))
        session.unanswered[delivery.sequence] = delivery
        session.send(Header.with_sequence(pdu, delivery.sequence))
        return delivery

    async def until(self, condition: Callable[[], bool], seconds: float = 10.0) -> None:
        """Wait until a condition on this SMSC holds."""
        async with asyncio.timeout(seconds):
            while not condition():
                await self._changed.wait()

    def changed(self) -> None:
        """Let those that wait look again."""
        self._changed.set()
        self._changed = asyncio.Event()

    def take_bind(self, session: Session) -> None:
        """Note a bind, and answer it as the script says."""
        assert session.bind is not None
        self.binds.append(session.bind)
        (self.bind_answers.popleft() if self.bind_answers else self.bind_answer)(session)

    def take(self, submit: Submit) -> None:
        """Note a submit_sm, and answer it as the script says."""
        self.submits.append(submit)
        (self.answers.popleft() if self.answers else self.answer)(submit)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        session = Session(self, reader, writer)
        self.sessions.append(session)
        try:
            await session.read()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            session.cut()

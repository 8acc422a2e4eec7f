"""The writes of a session: one for all that happens in a turn of the event loop (D-275)."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.adapters.channels.smpp.accounts import QUICK
from tests.adapters.channels.smpp.test_session_life import Wire
from watchword.adapters.channels.smpp.pdus import Command
from watchword.adapters.channels.smpp.session import Session
from watchword.adapters.channels.smpp.settings import BindSettings


class CountingWire(Wire):
    """A connection that counts the writes."""

    writes = 0

    def write(self, data: Any) -> None:
        """Keep the PDUs."""
        self.writes += 1
        super().write(data)


async def bound() -> tuple[Session, CountingWire]:
    """Return a session that is bound, and its connection."""
    settings = BindSettings(
        host="127.0.0.1", port=1, system_id="orchid", password="s3cret", window=100
    )
    session = Session(settings, QUICK, lambda session, pdu: session.answer(pdu))
    wire = CountingWire(session)
    session.link.connection_made(wire)
    binding = asyncio.create_task(session.bind(Command.BIND_TRANSCEIVER))
    while not wire.written:  # noqa: ASYNC110  the session writes at the end of a turn
        await asyncio.sleep(0)
    wire.arrive(wire.written[0].answer(0, b"smsc\0"))
    await binding
    wire.writes = 0
    wire.written.clear()
    return session, wire


async def test_messages_of_one_turn_go_in_one_write() -> None:
    """Each is there, in the order of the sends."""
    session, wire = await bound()
    bodies = [b"%d" % number for number in range(50)]
    sends = [asyncio.create_task(session.submit(body)) for body in bodies]
    while not wire.written:  # noqa: ASYNC110  the session writes at the end of a turn
        await asyncio.sleep(0)

    assert bodies == [each.body for each in wire.written]
    assert 1 == wire.writes
    session.abort()
    await asyncio.gather(*sends, return_exceptions=True)


async def test_what_was_written_leaves_before_the_end() -> None:
    """An answer and the end of the session can come in one turn."""
    session, wire = await bound()
    send = asyncio.create_task(session.submit(b"last"))
    await asyncio.sleep(0)
    session.abort()
    await asyncio.gather(send, return_exceptions=True)

    assert [b"last"] == [each.body for each in wire.written]
    assert wire.is_closing()

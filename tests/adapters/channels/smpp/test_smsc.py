"""The SMSC of tests: clients that are not ours find an SMSC in it, and it misbehaves as its script says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import smpp34
from aiosmpplib.protocol import BindTransceiver

from tests.adapters.channels.smpp import answers, deliveries
from tests.adapters.channels.smpp.pdus import Command, Header, request
from tests.adapters.channels.smpp.smsc import Smsc


@pytest.fixture
async def smsc() -> AsyncIterator[Smsc]:
    """Yield an SMSC."""
    async with Smsc() as smsc:
        yield smsc


async def _bound(smsc: Smsc, patience_ms: int = 10_000) -> smpp34.Smsc:
    client = smpp34.Client(
        smsc.host,
        smsc.port,
        "orchid",
        "s3cret",
        bind_type="TRX",
        connect_timeout_ms=patience_ms,
    )
    return await client.connect()


async def test_a_client_binds_submits_and_gets_receipts(smsc: Smsc) -> None:
    """The script needs no line for that; what came can be read afterwards."""
    client = await _bound(smsc)
    taken = await client.submit_sm("447911123456", b"Your code")
    assert taken.message_id is not None
    delivery = smsc.push(deliveries.receipt(taken.message_id))
    event = await client.next()
    await smsc.until(lambda: delivery.ended)

    assert (0, "smsc-1") == (taken.command_status, taken.message_id)
    assert ["orchid"] == [each.system_id for each in smsc.binds]
    assert [b"Your code"] == [each.pdu.short_message for each in smsc.submits]
    assert isinstance(event, smpp34.DeliverSmEvent)
    assert event.short_message.startswith(b"id:smsc-1 ")
    assert (0, 1) == (delivery.status, delivery.answers)
    await client.unbind()
    await smsc.until(lambda: not smsc.bound)


async def test_the_next_answers_are_those_of_the_script(smsc: Smsc) -> None:
    """Statuses that no list has pass too, and after the script every submit is accepted."""
    client = await _bound(smsc)
    smsc.answers += [answers.throttle, answers.refuse(0x0B), answers.refuse(0x0400)]
    statuses = [(await client.submit_sm("447911123456", b"Hi")).command_status for _ in range(4)]

    assert [0x58, 0x0B, 0x0400, 0] == statuses


async def test_an_answer_comes_when_the_test_wants_it(smsc: Smsc) -> None:
    """A submit that was never answered is answered late."""
    client = await _bound(smsc)
    smsc.answers += [answers.never]
    sending = asyncio.ensure_future(client.submit_sm("447911123456", b"Hi"))
    await smsc.until(lambda: len(smsc.submits) == 1)
    assert not sending.done()
    smsc.submits[0].accept("late")

    assert "late" == (await sending).message_id


async def test_a_bind_is_refused_with_any_status(smsc: Smsc) -> None:
    """The client hears it, and no session is bound."""
    smsc.bind_answers += [answers.refuse_bind(0x0D)]
    with pytest.raises(smpp34.SmppError):
        # This client waits for another bind_resp after a refusal.
        await _bound(smsc, patience_ms=200)

    assert [] == smsc.bound
    assert 1 == len(smsc.binds)


async def test_what_no_library_writes_reaches_the_client(smsc: Smsc) -> None:
    """A PDU behind a bind_resp in one segment, a foreign answer, two, a nack, and a length of 2^32-1."""
    smsc.bind_answers += [answers.accept_bind_with(request(Command.ENQUIRE_LINK, 9))]
    smsc.answers += [answers.foreign, answers.twice, answers.nack(3), answers.write(b"\xff" * 16)]
    reader, writer = await asyncio.open_connection(smsc.host, smsc.port)
    writer.write(BindTransceiver(sequence_num=1, system_id="orchid", password="s3cret").pdu())
    submits = [
        smpp34.SubmitSm("a", "b", b"Hi", sequence_number=2 + each).encode() for each in range(4)
    ]
    writer.write(b"".join(submits))
    headers = [await _header(reader) for _ in range(6)]
    length = int.from_bytes(await reader.readexactly(4), "big")
    writer.close()

    expected = [
        (0x8000_0009, 0, 1),
        (0x0000_0015, 0, 9),
        (0x8000_0004, 0, 7_002),
        (0x8000_0004, 0, 3),
        (0x8000_0004, 0, 3),
        (0x8000_0000, 3, 4),
    ]
    assert expected == [(each.command, each.status, each.sequence) for each in headers]
    assert 0xFFFF_FFFF == length


@pytest.mark.parametrize("octets", [0, 1, 16, 20])
async def test_an_answer_is_cut_at_an_octet(smsc: Smsc, octets: int) -> None:
    """The connection closes there, and the SMSC has taken the submit."""
    reader, writer = await asyncio.open_connection(smsc.host, smsc.port)
    smsc.answers += [answers.cut_within(octets)]
    writer.write(smpp34.SubmitSm("a", "b", b"Hi").encode())

    assert octets == len(await reader.read())
    assert 1 == len(smsc.submits)
    writer.close()


async def test_after_a_restart_clients_bind_at_the_same_port(smsc: Smsc) -> None:
    """Sessions from before it have ended."""
    await _bound(smsc)
    await smsc.stop()
    assert [] == smsc.bound
    await smsc.start()
    await _bound(smsc)

    assert (2, 1) == (len(smsc.binds), len(smsc.bound))


async def _header(reader: asyncio.StreamReader) -> Header:
    header = Header.of(await reader.readexactly(16))
    await reader.readexactly(header.length - 16)
    return header

"""One connection to an SMSC: what does not fit is not read, and nothing of it raises an error."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from tests.adapters.channels.smpp import answers
from tests.adapters.channels.smpp.accounts import config_of
from tests.adapters.channels.smpp.smsc import Smsc
from watchword.adapters.channels.smpp import SmppProvider
from watchword.application.ports.channels import Accepted, Rejected, Unknown
from watchword.testing import a_message

_ENQUIRE_LINK = bytes.fromhex("00000010 00000015 00000000 00000001")
_BIND_RESP = bytes.fromhex("00000011 80000009 00000000 00000001 00")
_FLOOD = 64 * 1024 * 1024


async def test_an_smsc_that_asks_and_does_not_read_is_not_read(provider: SmppProvider) -> None:
    """Its requests would only add answers that wait: both sides stop, and no memory is filled."""
    is_stuck = asyncio.Event()

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(16)
        writer.write(_BIND_RESP)
        # All that the two systems have room for, and the answers to it, is far less than this.
        for _ in range(_FLOOD // 65_536):
            writer.write(_ENQUIRE_LINK * 4_096)
            written = asyncio.ensure_future(writer.drain())
            done, _ = await asyncio.wait((written,), timeout=0.5)
            if not done:
                is_stuck.set()
                written.cancel()
                break
        writer.transport.abort()

    server = await asyncio.start_server(flood, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    sending = asyncio.create_task(provider.send(config_of(port), a_message()))
    async with asyncio.timeout(10):
        await is_stuck.wait()
        answer = await sending
    server.close()

    assert isinstance(answer, Rejected | Unknown)


@pytest.mark.parametrize(
    "octets",
    [
        b"\xff" * 16,
        b"\0" * 64,
        bytes.fromhex("0000000f 80000004 00000000 00000002"),
        bytes.fromhex("00010001 80000004 00000000 00000002"),
        bytes.fromhex("00000012 80000004 00000000 00000002 ffff"),
        bytes.fromhex("00000010 ffffffff ffffffff ffffffff"),
        bytes.fromhex("00000010 80000000 ffffffff ffffffff"),
        bytes.fromhex("00000010 00000006 00000000 00000000"),
        bytes.fromhex("00000014 00000103 00000000 00000001 ffffffff"),
    ],
    ids=lambda octets: octets[:16].hex(),
)
async def test_whatever_arrives_is_no_error(
    provider: SmppProvider,
    smsc: Smsc,
    config: Mapping[str, Any],
    octets: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Garbage ends the session at most; the loop reports no error, and sends go on."""
    await provider.send(config, a_message())
    smsc.sessions[0].send(octets)
    smsc.answers.append(answers.accept)
    outcome = await provider.send(config, a_message(2))
    after = await provider.send(config, a_message(3))

    assert isinstance(outcome, Accepted | Unknown)
    assert isinstance(after, Accepted)
    assert [] == [each for each in caplog.records if each.name == "asyncio"]

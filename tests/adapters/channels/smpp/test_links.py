"""One connection to an SMSC: what does not fit is not read, and nothing of it raises an error."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from tests.adapters.channels.smpp import answers
from tests.adapters.channels.smpp.smsc import Smsc
from watchword.adapters.channels.smpp import SmppProvider
from watchword.adapters.channels.smpp.link import Link
from watchword.application.ports.channels import Accepted, Unknown
from watchword.testing import a_message


class Congested(asyncio.Transport):
    """A connection whose other side may have stopped reading."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = True

    def is_closing(self) -> bool:
        """Return that it is open."""
        return False

    def pause_reading(self) -> None:
        """Note that nothing is read."""
        self.reads = False

    def resume_reading(self) -> None:
        """Note that it is read again."""
        self.reads = True


def test_an_smsc_that_does_not_read_is_not_read() -> None:
    """Its requests would only add answers that wait, and would fill the memory."""
    connection, link = Congested(), Link(lambda pdu: None, lambda: None)
    link.connection_made(connection)
    link.pause_writing()
    assert not connection.reads
    link.resume_writing()

    assert connection.reads


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

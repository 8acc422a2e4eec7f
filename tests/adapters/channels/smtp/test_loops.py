"""The provider does the same on asyncio's event loop and on uvloop, which serves outside of tests."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
import uvloop
from msgspec.structs import replace

from tests.adapters.channels.smtp.accounts import MAIL, config_of, mail
from tests.adapters.channels.smtp.certificates import Authority
from tests.adapters.channels.smtp.mail_servers import Mailroom, ScriptedServer, aiosmtpd_server
from watchword.adapters.channels.smtp import SmtpProvider
from watchword.application.ports.channels import Accepted

# More than the buffers of two sockets.
_LONG = "x" * (16 << 20)
_loops = pytest.mark.parametrize("new_loop", [asyncio.new_event_loop, uvloop.new_event_loop])
NewLoop = Callable[[], asyncio.AbstractEventLoop]


@_loops
def test_a_cancelled_send_stops_in_the_middle_of_its_mail(new_loop: NewLoop) -> None:
    """What is not written yet is dropped, so that the server never gets the end of the mail."""

    async def cancelled() -> list[bytes]:
        provider, server = SmtpProvider(), ScriptedServer(pauses=True)
        async with server.serving() as port:
            send = asyncio.create_task(provider.send(config_of(port), replace(MAIL, text=_LONG)))
            await server.asked.wait()
            send.cancel()
            await asyncio.gather(send, return_exceptions=True)
            server.may_read.set()
            await server.ended.wait()
        await provider.close()
        assert send.cancelled()
        return server.mails

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert [] == runner.run(cancelled())


@_loops
@pytest.mark.parametrize("tls", ["starttls", "implicit"])
def test_mails_go_over_tls(new_loop: NewLoop, tls: str, tmp_path: Path) -> None:
    """The handshake, and connections that are kept, are the loop's."""
    authority, room, ca_file = Authority(), Mailroom(), tmp_path / "ca.pem"
    ca_file.write_bytes(authority.pem)
    way = {tls: authority.server(tmp_path)}

    async def sent() -> list[type]:
        provider = SmtpProvider()
        async with aiosmtpd_server(room, **way) as port:
            config = config_of(port, tls=tls, caFile=str(ca_file))
            answers = [await provider.send(config, mail(each)) for each in range(3)]
            await provider.close()
        return [type(each) for each in answers]

    with asyncio.Runner(loop_factory=new_loop) as runner:
        assert [Accepted] * 3 == runner.run(sent())
    assert 1 == room.connections

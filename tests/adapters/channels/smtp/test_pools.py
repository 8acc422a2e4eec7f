"""Each channel account has at most eight connections, which serve mail after mail (C-63)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from tests.adapters.channels.smtp.accounts import config_of, mail
from tests.adapters.channels.smtp.mail_servers import CUT, Mailroom, ScriptedServer
from watchword.adapters.channels.smtp import SmtpProvider, pool
from watchword.application.ports.channels import Accepted, Fault, Message, Rejected, Unknown
from watchword.testing import FaultyTcp

Answer = Accepted | Rejected | Unknown


@pytest.fixture
async def proxy(port: int) -> AsyncIterator[FaultyTcp]:
    """Yield a proxy before a mail server."""
    async with FaultyTcp(port) as proxy:
        yield proxy


async def _sent(
    provider: SmtpProvider, config: Mapping[str, Any], mails: list[Message]
) -> list[type[Answer]]:
    """Return the kinds of answers to mails that are sent at once."""
    answers = await asyncio.gather(*(provider.send(config, each) for each in mails))
    return [type(each) for each in answers]


async def test_fifty_mails_at_once_share_eight_connections(
    provider: SmtpProvider, room: Mailroom, port: int
) -> None:
    """Each mail arrives once, with its own recipient and id."""
    mails = [mail(number) for number in range(50)]
    answers = await _sent(provider, config_of(port), mails)

    assert [Accepted] * 50 == answers
    assert sorted(each.destination for each in mails) == sorted(
        each.rcpt_tos[0] for each in room.taken
    )
    assert room.connections <= pool.MOST_CONNECTIONS


async def test_a_connection_serves_mail_after_mail(
    provider: SmtpProvider, room: Mailroom, port: int
) -> None:
    """Mails one after the other need one connection."""
    for number in range(5):
        await provider.send(config_of(port), mail(number))

    assert (5, 1) == (len(room.taken), room.connections)


async def test_a_full_account_is_busy(
    provider: SmtpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mail waits for a connection for a while, and is then rejected: it was certainly not sent."""
    monkeypatch.setattr(pool, "PATIENCE", 0.05)
    server = ScriptedServer({"MAIL": None})
    async with server.serving() as port:
        sends = [
            asyncio.create_task(provider.send(config_of(port), mail(each)))
            for each in range(pool.MOST_CONNECTIONS + 1)
        ]
        done, waiting = await asyncio.wait(sends, return_when=asyncio.FIRST_COMPLETED)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        server.replies["MAIL"] = b"250 OK\r\n"
        after = await provider.send(config_of(port), mail(99))
    answer = done.pop().result()

    assert pool.MOST_CONNECTIONS == len(waiting)
    assert isinstance(answer, Rejected)
    assert ("smtp_busy", Fault.BUSY) == (answer.code, answer.fault)
    assert isinstance(after, Accepted)


@pytest.mark.parametrize("reset", [False, True])
async def test_a_connection_that_the_server_closed_is_replaced(
    provider: SmtpProvider, room: Mailroom, proxy: FaultyTcp, reset: bool
) -> None:
    """A mail that finds a dead connection goes over a new one, once."""
    await _sent(provider, config_of(proxy.port), [mail(each) for each in range(8)])
    proxy.drop(reset=reset)
    answers = await _sent(provider, config_of(proxy.port), [mail(each) for each in range(8, 16)])

    assert [Accepted] * 8 == answers
    assert 16 == len(room.taken)


@pytest.mark.parametrize("reply", [CUT, b"421 idle for too long\r\n"])
async def test_a_connection_found_dead_at_the_sender_is_replaced_once(
    provider: SmtpProvider, reply: bytes
) -> None:
    """A server may notice only then that the connection was idle; a second one has to work."""
    server = ScriptedServer()
    async with server.serving() as port:
        first = await provider.send(config_of(port), mail(1))
        server.replies["MAIL"] = reply
        second = await provider.send(config_of(port), mail(2))

    assert isinstance(first, Accepted)
    assert isinstance(second, Rejected)
    assert (2, 1) == (server.connections, len(server.mails))


async def test_an_idle_connection_is_closed(
    provider: SmtpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says goodbye, and the next mail opens another."""
    monkeypatch.setattr(pool, "IDLE_SECONDS", 0.01)
    server = ScriptedServer()
    async with server.serving() as port:
        await provider.send(config_of(port), mail(1))
        await server.ended.wait()
        await provider.send(config_of(port), mail(2))

    assert b"QUIT" in server.commands
    assert 2 == server.connections


async def test_a_changed_config_opens_new_connections(
    provider: SmtpProvider, room: Mailroom, port: int
) -> None:
    """A new password or name of the sender counts from the next mail on (C-66)."""
    await provider.send(config_of(port), mail(1))
    await provider.send(config_of(port, **{"from": "codes@bloom.example"}), mail(2))

    assert ["codes@orchid.example", "codes@bloom.example"] == [
        each.mail_from for each in room.taken
    ]
    assert 2 == room.connections


async def test_a_changed_config_closes_the_older_connections(provider: SmtpProvider) -> None:
    """A login that was replaced does not stay at the server."""
    server = ScriptedServer()
    async with server.serving() as port:
        await provider.send(config_of(port), mail(1))
        await provider.send(config_of(port, **{"from": "codes@bloom.example"}), mail(2))
        await server.ended.wait()

    assert 1 == server.commands.count(b"QUIT")


async def test_accounts_share_no_connection(
    provider: SmtpProvider, room: Mailroom, port: int
) -> None:
    """Two accounts with one config have their own connections, so none takes the other's."""
    await provider.send(config_of(port), mail(1))
    await provider.send(config_of(port), replace(mail(2), channel_account_id="cha_bloom"))

    assert 2 == room.connections


async def test_the_accounts_with_idle_connections_are_bounded(
    provider: SmtpProvider, room: Mailroom, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account unused for longest loses its connections."""
    monkeypatch.setattr(pool, "MOST_POOLS", 2)
    for account in ("cha_1", "cha_2", "cha_3", "cha_3", "cha_2", "cha_1"):
        await provider.send(config_of(port), replace(mail(1), channel_account_id=account))

    assert 4 == room.connections


async def test_closing_leaves_no_connection() -> None:
    """All idle connections say goodbye."""
    provider, server = SmtpProvider(), ScriptedServer()
    async with server.serving() as port:
        await provider.send(config_of(port), mail(1))
        await provider.close()
        await server.ended.wait()

    assert b"QUIT" == server.commands[-1]


async def test_a_mail_under_way_leaves_no_connection_after_the_close(
    provider: SmtpProvider,
) -> None:
    """Its connection says goodbye once the mail is answered."""
    server = ScriptedServer(pauses=True)
    async with server.serving() as port:
        send = asyncio.create_task(provider.send(config_of(port), mail(1)))
        await server.asked.wait()
        await provider.close()
        server.may_read.set()
        answer = await send
        async with asyncio.timeout(pool.IDLE_SECONDS / 2):
            await server.ended.wait()

    assert isinstance(answer, Accepted)
    assert b"QUIT" == server.commands[-1]


@pytest.mark.parametrize("stage", ["GREETING", "EHLO", "MAIL", "RCPT", "DATA", "."])
async def test_a_silent_server_holds_no_connection_beyond_the_deadline(
    provider: SmtpProvider, stage: str
) -> None:
    """The caller's deadline ends the send, wherever the server fell silent, and frees its place."""
    server = ScriptedServer({stage: None})
    async with server.serving() as port:
        for number in range(pool.MOST_CONNECTIONS + 2):
            server.asked.clear()
            send = asyncio.create_task(provider.send(config_of(port), mail(number)))
            await server.asked.wait()
            send.cancel()
            await asyncio.gather(send, return_exceptions=True)
            assert send.cancelled()
        server.replies[stage] = ScriptedServer().replies.get(stage, b"250 OK\r\n")
        assert isinstance(await provider.send(config_of(port), mail(99)), Accepted)


async def test_a_server_too_slow_to_greet_is_away(
    provider: SmtpProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that is not ready in time is a rejection, so that another account is tried."""
    monkeypatch.setattr("watchword.adapters.channels.smtp.connecting.OPEN_SECONDS", 0.05)
    async with ScriptedServer({"GREETING": None}).serving() as port:
        answer = await provider.send(config_of(port), mail(1))

    assert isinstance(answer, Rejected)
    assert ("smtp_timeout", Fault.AWAY) == (answer.code, answer.fault)


async def test_a_server_that_drips_is_read(
    provider: SmtpProvider, room: Mailroom, proxy: FaultyTcp
) -> None:
    """Replies may come byte by byte."""
    proxy.drip(0)
    answer = await provider.send(config_of(proxy.port), mail(1))

    assert isinstance(answer, Accepted)
    assert 1 == len(room.taken)

"""TLS is demanded and verified, and passwords go over it alone (C-63)."""

from __future__ import annotations

import asyncio
import ssl
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.channels.smtp.accounts import MAIL, config_of
from tests.adapters.channels.smtp.certificates import Authority
from tests.adapters.channels.smtp.mail_servers import Mailroom, ScriptedServer, aiosmtpd_server
from watchword.adapters.channels.smtp import SmtpProvider
from watchword.application.ports.channels import Accepted, Connected, Fault, Rejected

_LOGIN = {"username": "orchid", "password": "s3cret"}


@pytest.fixture
def authority() -> Authority:
    """Return an authority that an account trusts."""
    return Authority()


@pytest.fixture
def ca_file(authority: Authority, tmp_path: Path) -> str:
    """Return the file with its certificate."""
    file = tmp_path / "ca.pem"
    file.write_bytes(authority.pem)
    return str(file)


def _replace(ca_file: str, authority: Authority) -> None:
    Path(ca_file).write_bytes(authority.pem)


def _way(tls: str, context: ssl.SSLContext) -> dict[str, Any]:
    return {tls: context}


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
async def test_a_mail_goes_over_tls_with_a_login(
    provider: SmtpProvider,
    room: Mailroom,
    authority: Authority,
    ca_file: str,
    tmp_path: Path,
    tls: str,
) -> None:
    """The login and the mail are sent once TLS stands; a probe says its version."""
    way = _way(tls, authority.server(tmp_path))
    implicit = tls == "implicit"
    async with aiosmtpd_server(
        room, auth_required=not implicit, auth_require_tls=not implicit, **way
    ) as port:
        config = provider.check_config(config_of(port, tls=tls, caFile=ca_file, **_LOGIN))
        answer = await provider.send(config, MAIL)
        probed = await provider.probe(config)

    assert isinstance(answer, Accepted)
    assert Connected(f"127.0.0.1:{port} TLSv1.3") == probed
    assert [True] == room.tls
    assert [(b"orchid", b"s3cret")] * 2 == [each[1:] for each in room.logins]


@pytest.mark.parametrize("tls", ["starttls", "implicit"])
@pytest.mark.parametrize(
    ("host", "age", "trusted", "why"),
    [
        ("127.0.0.1", timedelta(days=9), True, "certificate has expired"),
        ("127.0.0.1", timedelta(days=-9), True, "certificate is not yet valid"),
        ("mail.example.com", timedelta(), True, "IP address mismatch"),
        ("127.0.0.1", timedelta(), False, "unable to get local issuer certificate"),
    ],
)
async def test_a_certificate_that_is_not_trusted_gets_nothing(
    provider: SmtpProvider,
    room: Mailroom,
    authority: Authority,
    ca_file: str,
    tmp_path: Path,
    tls: str,
    host: str,
    age: timedelta,
    trusted: bool,
    why: str,
) -> None:
    """An expired certificate, one for another host, and one of another authority: no login, no mail."""
    signer = authority if trusted else Authority("Eve's authority")
    async with aiosmtpd_server(room, **_way(tls, signer.server(tmp_path, host, age))) as port:
        config = config_of(port, tls=tls, caFile=ca_file, **_LOGIN)
        answer = await provider.send(config, MAIL)

    assert isinstance(answer, Rejected)
    assert ("smtp_tls_failed", Fault.AWAY) == (answer.code, answer.fault)
    assert why in answer.message
    assert ([], []) == (room.taken, room.logins)


async def test_the_systems_authorities_do_not_know_a_private_one(
    provider: SmtpProvider, room: Mailroom, authority: Authority, tmp_path: Path
) -> None:
    """Without `caFile`, a certificate of a private authority is refused."""
    async with aiosmtpd_server(room, implicit=authority.server(tmp_path)) as port:
        answer = await provider.send(config_of(port, tls="implicit"), MAIL)

    assert isinstance(answer, Rejected)
    assert "smtp_tls_failed" == answer.code


async def test_a_ca_file_that_changed_is_read_again(
    provider: SmtpProvider, room: Mailroom, authority: Authority, ca_file: str, tmp_path: Path
) -> None:
    """After a failed handshake, the next connection reads the file anew."""
    other = Authority()
    async with aiosmtpd_server(room, implicit=other.server(tmp_path)) as port:
        config = config_of(port, tls="implicit", caFile=ca_file)
        refused = await provider.send(config, MAIL)
        _replace(ca_file, other)
        answer = await provider.send(config, MAIL)

    assert isinstance(refused, Rejected)
    assert isinstance(answer, Accepted)


async def test_a_ca_file_that_is_gone_refuses(provider: SmtpProvider, ca_file: str) -> None:
    """The system's authorities do not take the place of the account's own."""
    await asyncio.to_thread(Path(ca_file).unlink)
    answer = await provider.send(config_of(465, tls="implicit", caFile=ca_file), MAIL)

    assert isinstance(answer, Rejected)
    assert ("smtp_ca_file_unreadable", Fault.ACCOUNT) == (answer.code, answer.fault)


async def test_a_server_without_starttls_gets_nothing(
    provider: SmtpProvider, room: Mailroom, port: int
) -> None:
    """An attacker who hides the offer gets neither password nor mail (D-212)."""
    answer = await provider.send(config_of(port, tls="starttls", **_LOGIN), MAIL)

    assert isinstance(answer, Rejected)
    assert ("smtp_starttls_missing", Fault.AWAY) == (answer.code, answer.fault)
    assert ([], []) == (room.taken, room.logins)


_OFFER = b"250-mail.example.com\r\n250 STARTTLS\r\n"


@pytest.mark.parametrize("reply", [b"454 not now\r\n", b"502 no\r\n", b"rubbish\r\n"])
async def test_a_server_that_refuses_starttls_gets_nothing(
    provider: SmtpProvider, reply: bytes
) -> None:
    """Whatever it replies, nothing goes on in clear."""
    server = ScriptedServer({"EHLO": _OFFER, "STARTTLS": reply})
    async with server.serving() as port:
        answer = await provider.send(config_of(port, tls="starttls"), MAIL)

    assert isinstance(answer, Rejected)
    assert Fault.AWAY == answer.fault
    assert [b"EHLO orchid.example", b"STARTTLS"] == server.commands[:2]
    assert len(server.commands) <= 2


async def test_what_comes_in_clear_behind_starttls_is_dropped(
    provider: SmtpProvider, room: Mailroom, authority: Authority, ca_file: str, tmp_path: Path
) -> None:
    """Replies injected before the handshake are never read as those of the safe connection."""
    server = authority.server(tmp_path)
    asked: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 hi\r\n")
        await reader.readline()
        writer.write(_OFFER)
        await reader.readline()
        # The offer of a login that follows stands for a man in the middle.
        writer.write(b"220 go\r\n250-evil\r\n250 AUTH PLAIN\r\n235 ok\r\n")
        await writer.drain()
        await writer.start_tls(server)
        asked.append(await reader.readline())
        writer.write(b"250 mail.example.com\r\n")
        asked.append(await reader.readline())
        writer.close()

    listening = await asyncio.start_server(talk, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    config = config_of(port, tls="starttls", caFile=ca_file, **_LOGIN)
    answer = await provider.send(config, MAIL)
    listening.close()

    assert isinstance(answer, Rejected)
    assert ("smtp_login_missing", [b"EHLO orchid.example\r\n"]) == (answer.code, asked[:1])


@pytest.mark.parametrize(("login", "code"), [(True, "smtp_535"), (False, "smtp_530")])
async def test_a_wrong_login_concerns_the_account(
    provider: SmtpProvider,
    room: Mailroom,
    authority: Authority,
    ca_file: str,
    tmp_path: Path,
    login: bool,
    code: str,
) -> None:
    """A wrong password is sent once, since servers lock logins out; without one, the server wants it."""
    more = {"username": "orchid", "password": "wr0ng"} if login else {}
    way = _way("starttls", authority.server(tmp_path))
    async with aiosmtpd_server(room, auth_required=True, **way) as port:
        config = config_of(port, tls="starttls", caFile=ca_file, **more)
        answer = await provider.send(config, MAIL)

    assert isinstance(answer, Rejected)
    assert (code, Fault.ACCOUNT) == (answer.code, answer.fault)
    assert [b"wr0ng"] * login == [each[2] for each in room.logins]
    assert "wr0ng" not in answer.message


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN", "CRAM-MD5"])
async def test_a_login_uses_what_the_server_offers(provider: SmtpProvider, mechanism: str) -> None:
    """PLAIN, LOGIN and CRAM-MD5 are known."""
    replies = {
        "EHLO": b"250-mail.example.com\r\n250 AUTH XOAUTH2 " + mechanism.encode() + b"\r\n",
        "AUTH": b"235 ok\r\n" if mechanism == "PLAIN" else b"334 PDFAYj4=\r\n",
    }
    server = ScriptedServer(replies, otherwise=b"235 ok\r\n")
    async with server.serving() as port:
        await provider.probe(config_of(port, **_LOGIN))

    assert f"AUTH {mechanism}".encode() == b" ".join(server.commands[1].split()[:2])


async def test_a_mechanism_that_is_only_offered_is_passed_over(provider: SmtpProvider) -> None:
    """Some servers offer what they do not have; the next one is tried."""
    replies = {
        "EHLO": b"250-mail.example.com\r\n250 AUTH PLAIN LOGIN\r\n",
        "AUTH": b"504 not this\r\n",
    }
    server = ScriptedServer(replies)
    async with server.serving() as port:
        answer = await provider.probe(config_of(port, **_LOGIN))

    assert isinstance(answer, Rejected)
    assert ("smtp_504", Fault.ACCOUNT) == (answer.code, answer.fault)
    assert [b"AUTH PLAIN", b"AUTH LOGIN"] == [each[:10] for each in server.commands[1:]]

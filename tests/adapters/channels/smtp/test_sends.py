"""Mails reach a mail server, and its replies decide the outcome (C-63, C-68, C-69)."""

from __future__ import annotations

import asyncio
from email import message_from_bytes, policy

import pytest
from msgspec.structs import replace

from tests.adapters.channels.smtp.accounts import MAIL, config_of, mail
from tests.adapters.channels.smtp.mail_servers import CUT, Mailroom, ScriptedServer
from watchword.adapters.channels.smtp import SmtpProvider
from watchword.application.ports.channels import Accepted, Connected, Fault, Rejected, Unknown
from watchword.testing import FakeContext

_HEADERS = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
]


async def test_a_mail_arrives_whole(provider: SmtpProvider, room: Mailroom, port: int) -> None:
    """It has the headers of a plain text mail, and its Message-ID is the provider's id (C-63)."""
    answer = await provider.send(config_of(port), MAIL)
    (envelope,) = room.taken
    arrived = message_from_bytes(room.contents[0], policy=policy.default)

    assert isinstance(answer, Accepted)
    assert ("codes@orchid.example", [MAIL.destination]) == (envelope.mail_from, envelope.rcpt_tos)
    assert _HEADERS == arrived.keys()
    assert ("Orchid <codes@orchid.example>", MAIL.destination, MAIL.subject) == (
        arrived["From"],
        arrived["To"],
        arrived["Subject"],
    )
    assert (f"<{answer.provider_message_id}>", "auto-generated", FakeContext().now()) == (
        arrived["Message-ID"],
        arrived["Auto-Submitted"],
        arrived["Date"].datetime,
    )
    assert "Your code is 4711.\r\n.\r\nBye\r\n" == arrived.get_content()


@pytest.mark.parametrize(
    ("command", "reply", "code", "fault"),
    [
        ("MAIL", "550 no such sender", "smtp_550", Fault.ACCOUNT),
        ("MAIL", "530 log in first", "smtp_530", Fault.ACCOUNT),
        ("MAIL", "452 full", "smtp_452", Fault.BUSY),
        ("RCPT", "550 no such user", "smtp_550", Fault.RECIPIENT),
        ("RCPT", "553 bad name", "smtp_553", Fault.RECIPIENT),
        ("RCPT", "530 log in first", "smtp_530", Fault.ACCOUNT),
        ("RCPT", "450 greylisted", "smtp_450", Fault.BUSY),
        ("DATA", "554 looks like spam", "smtp_554", Fault.CONTENT),
        ("DATA", "451 try later", "smtp_451", Fault.BUSY),
    ],
)
async def test_a_refusal_keeps_the_servers_number_and_words(
    provider: SmtpProvider,
    room: Mailroom,
    port: int,
    command: str,
    reply: str,
    code: str,
    fault: Fault,
) -> None:
    """What was refused decides whether another channel account may do better (C-69); nothing was taken."""
    room.replies[command] = reply
    answer = await provider.send(config_of(port), MAIL)

    assert isinstance(answer, Rejected)
    assert (code, fault) == (answer.code, answer.fault)
    assert f": {reply}. " in answer.message
    assert [] == room.taken


@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
async def test_a_connection_serves_after_a_refusal(
    provider: SmtpProvider, room: Mailroom, port: int, command: str
) -> None:
    """The refused mail's envelope is reset, so the next mail has its own recipient alone."""
    room.replies[command] = "554 no"
    await provider.send(config_of(port), mail(1))
    room.replies.clear()
    answer = await provider.send(config_of(port), mail(2))

    assert isinstance(answer, Accepted)
    assert [[mail(2).destination]] == [each.rcpt_tos for each in room.taken]
    assert 1 == room.connections


@pytest.mark.parametrize("stage", ["GREETING", "EHLO", "MAIL", "RCPT", "DATA"])
async def test_a_cut_before_the_mail_is_handed_over_is_a_rejection(
    provider: SmtpProvider, stage: str
) -> None:
    """A server that hangs up before the final dot has not taken the mail (C-68)."""
    async with ScriptedServer({stage: CUT}).serving() as port:
        answer = await provider.send(config_of(port), MAIL)

    assert isinstance(answer, Rejected)
    assert ("smtp_cut", Fault.AWAY) == (answer.code, answer.fault)


@pytest.mark.parametrize("reply", [CUT, b"rubbish\r\n", b"354 more\r\n", b"199 hm\r\n", b"25"])
async def test_without_a_readable_reply_to_the_final_dot_nobody_knows(
    provider: SmtpProvider, reply: bytes
) -> None:
    """The outcome is unknown, and its id is known, since it was chosen here (C-68)."""
    server = ScriptedServer({".": reply}, hangs_up=True)
    async with server.serving() as port:
        answer = await provider.send(config_of(port), MAIL)

    assert isinstance(answer, Unknown)
    assert f"<{answer.provider_message_id}>".encode() in server.mails[0]


@pytest.mark.parametrize("reply", [b"250 OK\r\n", b"251 forwarded\r\n", b"250-a\r\n250 b\r\n"])
async def test_every_good_reply_to_the_final_dot_is_accepted(
    provider: SmtpProvider, reply: bytes
) -> None:
    """The first digit of a reply decides."""
    async with ScriptedServer({".": reply}).serving() as port:
        assert isinstance(await provider.send(config_of(port), MAIL), Accepted)


@pytest.mark.parametrize(
    ("stage", "reply", "code", "fault"),
    [
        ("GREETING", b"554 not you\r\n", "smtp_554", Fault.ACCOUNT),
        ("GREETING", b"421 too many\r\n", "smtp_421", Fault.BUSY),
        ("EHLO", b"502 what\r\n", "smtp_502", Fault.ACCOUNT),
        ("MAIL", b"421 going down\r\n", "smtp_421", Fault.BUSY),
        ("MAIL", b"rubbish\r\n", "smtp_bad_reply", Fault.AWAY),
        ("MAIL", b"250 OK\r\n250 OK\r\n", "smtp_bad_reply", Fault.AWAY),
        ("GREETING", b"rubbish\r\n", "smtp_bad_reply", Fault.AWAY),
        ("EHLO", b"354 what\r\n", "smtp_bad_reply", Fault.AWAY),
        ("RCPT", b"354 go on\r\n", "smtp_bad_reply", Fault.AWAY),
        ("DATA", b"250 OK\r\n", "smtp_bad_reply", Fault.AWAY),
        ("DATA", b"354 go\r\n250 taken\r\n", "smtp_bad_reply", Fault.AWAY),
        ("DATA", b"503 no\r\n", "smtp_503", Fault.CONTENT),
    ],
)
async def test_a_server_that_breaks_the_protocol_takes_nothing(
    provider: SmtpProvider, stage: str, reply: bytes, code: str, fault: Fault
) -> None:
    """Odd replies before the final dot are rejections, and no mail is handed over after them."""
    server = ScriptedServer({stage: reply})
    async with server.serving() as port:
        answer = await provider.send(config_of(port), MAIL)

    assert isinstance(answer, Rejected)
    assert (code, fault) == (answer.code, answer.fault)
    assert [] == server.mails


async def test_a_second_reply_is_not_the_next_mails(provider: SmtpProvider) -> None:
    """A connection whose server replied twice to a mail is not used again."""
    server = ScriptedServer({".": b"250 OK\r\n550 no\r\n"})
    async with server.serving() as port:
        answers = [await provider.send(config_of(port), mail(each)) for each in (1, 2)]

    assert [Accepted, Accepted] == [type(each) for each in answers]
    assert 2 == server.connections


async def test_a_servers_words_are_short_and_never_the_mails(
    provider: SmtpProvider, room: Mailroom, port: int
) -> None:
    """A server may quote the mail that it refuses, and put controls into its reply."""
    room.replies["DATA"] = f"554 5.7.1 spam: YOUR CODE IS 4711 (4711)\t\x1b[2J {'x' * 400}"
    answer = await provider.send(config_of(port), MAIL)

    assert isinstance(answer, Rejected)
    assert "5.7.1 spam: … (…) [2J xx" in answer.message
    assert answer.message.isprintable()
    assert len(answer.message) < 400


async def test_a_servers_words_name_no_recipient(
    provider: SmtpProvider, room: Mailroom, port: int
) -> None:
    """Most servers quote the address that they refuse; an outcome is kept, and names nobody."""
    room.replies["RCPT"] = f"550 5.1.1 <{MAIL.destination}>: no such user here"
    answer = await provider.send(config_of(port), MAIL)

    assert isinstance(answer, Rejected)
    assert "rosa" not in answer.message
    assert "no such user here" in answer.message


async def test_a_port_without_a_server_is_away(provider: SmtpProvider) -> None:
    """A refused connection is a rejection: another channel account may do better."""
    async with ScriptedServer().serving() as port:
        pass
    answer = await provider.send(config_of(port), MAIL)

    assert isinstance(answer, Rejected)
    assert ("smtp_unreachable", Fault.AWAY) == (answer.code, answer.fault)


@pytest.mark.parametrize(
    ("found", "code"),
    [
        (["169.254.169.254"], "smtp_address_refused"),
        (["127.0.0.1", "fe80::1"], "smtp_address_refused"),
        (["::ffff:169.254.0.1"], "smtp_address_refused"),
        ([], "smtp_unreachable"),
    ],
)
async def test_a_name_is_checked_when_it_is_resolved(found: list[str], code: str) -> None:
    """No mail goes to link-local addresses, whatever a name server says (C-63)."""

    async def look_up(host: str) -> list[str]:
        return found

    provider = SmtpProvider(look_up)
    answer = await provider.send(config_of(25, host="mail.example.com"), MAIL)
    await provider.close()

    assert isinstance(answer, Rejected)
    assert code == answer.code


async def test_a_password_goes_to_no_other_machine_in_clear() -> None:
    """A name that was this machine when it was checked may be another one later (C-63)."""

    async def look_up(host: str) -> list[str]:
        return ["127.0.0.1", "10.0.0.1"]

    moved = SmtpProvider(look_up)
    config = config_of(25, host="localhost", username="orchid", password="s3cret")
    answer = await moved.send(moved.check_config(config), MAIL)
    await moved.close()

    assert isinstance(answer, Rejected)
    assert ("smtp_login_in_clear", Fault.ACCOUNT) == (answer.code, answer.fault)


@pytest.mark.parametrize(
    ("sender", "shown", "envelope"),
    [
        (None, "Orchid <codes@orchid.example>", "codes@orchid.example"),
        ("Bloom", "Bloom <codes@orchid.example>", "codes@orchid.example"),
        ("Bloom <a@bloom.example>", "Bloom <a@bloom.example>", "a@bloom.example"),
        ("a@bloom.example", "a@bloom.example", "a@bloom.example"),
    ],
)
async def test_the_sender_is_a_mailbox_or_a_name(
    provider: SmtpProvider,
    room: Mailroom,
    port: int,
    sender: str | None,
    shown: str,
    envelope: str,
) -> None:
    """A sender without an address is shown before the account's own (D-210)."""
    await provider.send(config_of(port), replace(MAIL, sender=sender))
    arrived = message_from_bytes(room.contents[0], policy=policy.default)

    assert (shown, envelope) == (arrived["From"], room.taken[0].mail_from)


@pytest.mark.parametrize("sender", ["a@b.example, c@d.example", "@", "x <a@b.example> y"])
async def test_a_sender_of_two_addresses_is_refused(
    provider: SmtpProvider, room: Mailroom, port: int, sender: str
) -> None:
    """It concerns the channel account, so another one may do better."""
    answer = await provider.send(config_of(port), replace(MAIL, sender=sender))

    assert isinstance(answer, Rejected)
    assert ("smtp_invalid_sender", Fault.ACCOUNT) == (answer.code, answer.fault)
    assert [] == room.taken


async def test_a_reference_is_not_read_from_its_message_id(
    provider: SmtpProvider, room: Mailroom, port: int
) -> None:
    """Recipients see the Message-ID; it is equal for a repeated reference, and tells nothing (D-211)."""
    answers = [await provider.send(config_of(port), each) for each in (mail(1), mail(1), mail(2))]
    first, again, other = (
        each.provider_message_id for each in answers if isinstance(each, Accepted)
    )

    assert first == again != other
    assert "pin_orchid" not in room.contents[0].decode()
    assert first.endswith("@orchid.example")


async def test_a_probe_sends_nothing(provider: SmtpProvider, room: Mailroom, port: int) -> None:
    """It says where it connected, and leaves the connection (C-67)."""
    found = await provider.probe(config_of(port))

    assert Connected(f"127.0.0.1:{port} without TLS") == found
    assert ([], 1) == (room.taken, room.connections)


async def test_a_probe_writes_an_address_with_its_port(provider: SmtpProvider) -> None:
    """An address of IPv6 stands in brackets, so that the port can be told from it."""
    try:
        server = await asyncio.start_server(_noop, "::1", 0)
    except OSError:
        pytest.skip("This machine has no IPv6.")
    port = server.sockets[0].getsockname()[1]
    found = await provider.probe(config_of(port, host="::1"))
    server.close()

    assert Connected(f"[::1]:{port} without TLS") == found


async def _noop(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 hi\r\n")
    while await reader.readline():
        writer.write(b"250 OK\r\n")
    writer.close()


async def test_a_probe_of_a_server_out_of_reach_says_so(provider: SmtpProvider) -> None:
    """A probe has the rejections of a send."""
    async with ScriptedServer({"NOOP": CUT}).serving() as port:
        cut = await provider.probe(config_of(port))
    gone = await provider.probe(config_of(port))

    assert isinstance(cut, Rejected)
    assert isinstance(gone, Rejected)
    assert ("smtp_cut", "smtp_unreachable") == (cut.code, gone.code)


async def test_a_cancelled_send_leaves_no_connection(provider: SmtpProvider) -> None:
    """A caller's deadline while the server is silent after the dot drops the connection."""
    server = ScriptedServer({".": None})
    async with server.serving() as port:
        send = asyncio.create_task(provider.send(config_of(port), MAIL))
        await server.asked.wait()
        send.cancel()
        await asyncio.gather(send, return_exceptions=True)
        await server.ended.wait()
        server.replies["."] = b"250 OK\r\n"
        answer = await provider.send(config_of(port), mail(2))

    assert send.cancelled()
    assert isinstance(answer, Accepted)
    assert 2 == server.connections

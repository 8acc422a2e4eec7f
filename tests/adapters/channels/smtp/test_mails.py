"""What a mail says is what arrives: no header is added, and subject and text are exact (C-99)."""

from __future__ import annotations

import email
import re
from base64 import b64encode
from datetime import UTC, datetime
from email import policy
from email.header import decode_header, make_header
from email.message import EmailMessage

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.adapters.channels.smtp.accounts import MAIL
from watchword.adapters.channels.smtp.mail import DestinationError, SenderError, mail_of
from watchword.adapters.channels.smtp.mailboxes import Mailbox, mailbox_in
from watchword.application.ports.channels import Message

_AT = datetime(2026, 11, 22, 20, 0, tzinfo=UTC)
_ORIGIN = Mailbox(address="codes@orchid.example", name="Orchid")
_NAMES = [
    b"From",
    b"To",
    b"Subject",
    b"Date",
    b"Message-ID",
    b"Auto-Submitted",
    b"MIME-Version",
    b"Content-Type",
    b"Content-Transfer-Encoding",
]
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")


def _word(text: str, coding: str = "b", charset: str = "utf-8") -> str:
    """Return an encoded word."""
    if coding.lower() == "b":
        return f"=?{charset}?{coding}?{b64encode(text.encode()).decode()}?="
    quoted = "".join(f"={byte:02X}" for byte in text.encode())
    return f"=?{charset}?{coding}?{quoted}?="


_BREAKS = [
    "\r\n",
    "\n",
    "\r",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
    "\0",
]
_CODINGS = [
    _word(f"Hi{each}Bcc: eve@example.com", coding, charset)
    for each in ("\r\n", "\n", "\r")
    for coding in ("b", "B", "q", "Q")
    for charset in ("utf-8", "iso-8859-1", "us-ascii")
]
PAYLOADS = [
    *(f"Hi{each}Bcc: eve@example.com" for each in _BREAKS),
    *(f"Hi{each} Bcc: eve@example.com" for each in ("\r\n", "\n")),
    *_CODINGS,
    "Hi\r\n\r\n<b>body</b>",
    f"Hi {_word('a')} {_word(chr(13) + chr(10) + 'Bcc: eve@example.com')}",
    "=?utf-8*en?q?Hi=0ABcc:_eve?=",
    "=?utf-8?q?Hi=0D=0ABcc:_eve@example.com",
    "=?unknown?q?Hi=0ABcc:_eve?=",
    "x" * 70 + "\nBcc: eve@example.com",
    "x" * 2_000 + _word("\r\nBcc: eve@example.com"),
    "é\nBcc: eve@example.com",
    "\ud800\nBcc: eve@example.com",
    '"\r\nBcc: eve@example.com',
    '" <eve@example.com>, "',
]


def test_there_are_fifty_payloads() -> None:
    """The pass mark of the header payloads names fifty (issue 21)."""
    assert len(set(PAYLOADS)) >= 50


def _lines(message: Message) -> bytes:
    """Return a mail as a server has it: without the second dot of a line that begins with one."""
    return re.sub(rb"(?m)^\.\.", b".", mail_of(message, _ORIGIN, _AT).lines)


def _headers_in(lines: bytes) -> list[bytes]:
    """Return the names of headers by a scan of the lines."""
    head = lines.partition(b"\r\n\r\n")[0]
    # Servers disagree on lone ones, and one could end the mail for some of them.
    assert not re.search(rb"[\r\n]", lines.replace(b"\r\n", b""))
    assert all(len(line) <= 76 for line in head.split(b"\r\n") if b"=?" in line)
    assert all(len(line) <= 300 for line in lines.split(b"\r\n"))
    return [
        line.partition(b":")[0] for line in head.split(b"\r\n") if line[:1] not in (b" ", b"\t")
    ]


def _parsed(lines: bytes) -> EmailMessage:
    return email.message_from_bytes(lines, policy=policy.default)


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("member", ["subject", "sender"])
def test_no_payload_adds_a_header(member: str, payload: str) -> None:
    """By a scan of the lines and by parsers, a mail has its own headers and two addresses."""
    try:
        lines = _lines(replace(MAIL, **{member: payload}))
    except SenderError:
        assert "@" in payload
        return
    parsed = _parsed(lines)
    again = _parsed(parsed.as_bytes(policy=policy.default))

    assert _NAMES == _headers_in(lines)
    assert [name.decode() for name in _NAMES] == parsed.keys() == again.keys()
    assert (["codes@orchid.example"], [MAIL.destination]) == (
        [each.addr_spec for each in parsed["From"].addresses],
        [each.addr_spec for each in parsed["To"].addresses],
    )


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_payload_is_shown_as_a_sender_of_two_lines(payload: str) -> None:
    """A name before the account's address is shown in one line, with its encoded words as they stand."""
    name = payload.replace("@", "")
    lines = _lines(replace(MAIL, sender=name))

    assert _NAMES == _headers_in(lines)
    assert ["codes@orchid.example"] == [each.addr_spec for each in _parsed(lines)["From"].addresses]


@pytest.mark.parametrize(
    "destination",
    [
        *(f"{each}@example.com" for each in PAYLOADS),
        *(f"asha@example.com{each}" for each in PAYLOADS),
        "asha@example.com, eve@example.com",
        "Asha <asha@example.com>",
        "<asha@example.com>",
        "asha@example.com> SIZE=1",
        '"a b"@example.com',
        "@example.com",
        "asha",
        "",
        "asha@example.com ",
    ],
)
def test_a_destination_is_one_address(destination: str) -> None:
    """Anything but exactly one address is refused before a server is asked."""
    with pytest.raises(DestinationError):
        mail_of(replace(MAIL, destination=destination), _ORIGIN, _AT)


_TEXTS = st.text(max_size=300) | st.text(alphabet="ab .=?\r\n\té€😀_\u2028", max_size=200)


@given(_TEXTS)
@example("")
@example(" a ")
@example("=?utf-8?q?a?= =?utf-8?q?b?=")
@example("a" * 61)
@example("é" * 400)
def test_a_subject_arrives_exactly(subject: str) -> None:
    """Controls and line breaks become blanks; everything else is read as it was sent."""
    lines = _lines(replace(MAIL, subject=subject))
    raw = email.message_from_bytes(lines)["Subject"]
    wanted = _CONTROL.sub(" ", subject).encode("utf-8", "replace").decode()

    assert _NAMES == _headers_in(lines)
    assert wanted == str(make_header(decode_header(raw)))
    assert wanted == _parsed(lines)["Subject"]


@given(_TEXTS)
@example(".")
@example("..\n.\r\n.a\r.")
@example("")
@example("=41 \t")
@example("x" * 5_000)
@example("😀" * 2_000)
@example("From me\nBcc: eve@example.com\n\n")
def test_a_text_arrives_exactly(text: str) -> None:
    """Line breaks become those of mail, and a last one follows or does not; nothing else changes."""
    lines = _lines(replace(MAIL, text=text))
    wanted = re.sub("\r\n|\r|\n", "\r\n", text).encode("utf-8", "replace").decode()
    got = _parsed(lines).get_content()

    assert _NAMES == _headers_in(lines)
    assert wanted == (got[:-2] if got == wanted + "\r\n" else got)


@given(st.text(alphabet=st.characters(exclude_characters="@"), max_size=120))
def test_a_name_arrives_exactly(name: str) -> None:
    """The name before the account's address is read as it was sent, but for controls and blanks in a row."""
    lines = _lines(replace(MAIL, sender=name))
    phrase = email.message_from_bytes(lines)["From"].removesuffix("<codes@orchid.example>").strip()
    if phrase.startswith('"'):
        phrase = re.sub(r"\\(.)", r"\1", phrase[1:-1])
    wanted = " ".join(_CONTROL.sub(" ", name).split()).encode("utf-8", "replace").decode()

    assert (wanted or "Orchid") == str(make_header(decode_header(phrase)))


@given(st.text(max_size=100))
def test_no_line_of_a_mail_is_a_lone_dot(text: str) -> None:
    """A lone dot would end the mail, and the rest would be read as commands."""
    made = mail_of(replace(MAIL, text=f".\n{text}\n.\n.."), _ORIGIN, _AT)

    assert b"." not in made.lines.split(b"\r\n")
    assert all(
        not each.startswith(b".") or each.startswith(b"..") for each in made.lines.split(b"\r\n")
    )


@pytest.mark.parametrize(
    ("text", "name", "address"),
    [
        ("a@b.example", None, "a@b.example"),
        ("<a@b.example>", None, "a@b.example"),
        ("Orchid <a@b.example>", "Orchid", "a@b.example"),
        ('"Orchid, Inc." <a@b.example>', "Orchid, Inc.", "a@b.example"),
        (r'"say \"hi\"" <a@localhost>', 'say "hi"', "a@localhost"),
        ("Café <a@b.example>", "Café", "a@b.example"),
    ],
)
def test_a_mailbox_is_an_address_with_a_name(text: str, name: str | None, address: str) -> None:
    """Names with a character that separates addresses stand in quotes."""
    assert Mailbox(address=address, name=name) == mailbox_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Orchid",
        "a@b.example, c@d.example",
        "A <a@b.example>, B <c@d.example>",
        "Orchid, Inc. <a@b.example>",
        "A <a@b.example> x",
        "A <a@b.example",
        "<<a@b.example>>",
        "A\n <a@b.example>",
        "group: a@b.example;",
        "=?utf-8?q?a?=@b.example",
        "a@b..example",
        "a b@c.example",
        f"{'x' * 300}@b.example",
    ],
)
def test_what_is_not_one_mailbox_is_refused(text: str) -> None:
    """A list, a group, a comment or a control is no mailbox."""
    with pytest.raises(ValueError, match="must be one address"):
        mailbox_in(text)

"""
Make a mail: its headers, and its text in a form that arrives as it was sent.

The headers are written here and not by `email`: in Python 3.11, an encoded word in a subject can become a
header of its own there (C-99). A text that is not plain, or that could be read as an encoded word, is
encoded as a whole, so that a reader decodes exactly this text.
"""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import b2a_qp
from collections.abc import Iterator
from datetime import datetime
from email.utils import format_datetime
from hashlib import sha256

from attrs import field, frozen

from ....application.ports.channels import Message
from ....domain.channel import Channel
from ....domain.destination import destination_problem
from .mailboxes import MAX_NAME, Mailbox, mailbox_in

_CRLF = b"\r\n"
_LINE_BREAK = re.compile("\r\n|\r|\n")
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
# Header lines have at most 76 characters with encoded words (RFC 2047), and the longest name here has 9.
_PLAIN_LENGTH = 60
# So many bytes make an encoded word of 64 characters.
_WORD_BYTES = 39
_BASE64_LINE = 57


class SenderError(ValueError):
    """The sender of a message is no mailbox, and cannot be the name of one."""


class DestinationError(ValueError):
    """The destination of a message is not exactly one address."""


@frozen(kw_only=True)
class Mail:
    """A mail as it goes over the wire, but for the dot at its end; `words` are what it says."""

    sender: str
    destination: str
    message_id: str
    lines: bytes = field(repr=False)
    words: tuple[str, ...] = field(repr=False)


def mail_of(message: Message, origin: Mailbox, at: datetime) -> Mail:
    """
    Return the mail of a message from a channel account's own mailbox, `origin`.

    Raises `SenderError` or `DestinationError`.
    """
    if destination_problem(message.destination, Channel.EMAIL) is not None:
        raise DestinationError
    sender = _sender(message.sender, origin)
    message_id = message_id_of(message.reference, sender)
    subject = _CONTROL.sub(" ", message.subject or "")
    headers = (
        _header(b"From", _mailbox(sender)),
        _header(b"To", [message.destination.encode("ascii")]),
        _header(b"Subject", _words(subject)),
        _header(b"Date", [format_datetime(at).encode("ascii")]),
        _header(b"Message-ID", [b"<" + message_id.encode("ascii") + b">"]),
        _header(b"Auto-Submitted", [b"auto-generated"]),
        _header(b"MIME-Version", [b"1.0"]),
        _header(b"Content-Type", [b"text/plain; charset=utf-8"]),
    )
    coding, body = _coded(message.text)
    head = b"".join((*headers, _header(b"Content-Transfer-Encoding", [coding])))
    # A line with a lone dot would end the mail (RFC 5321, 4.5.2).
    lines = re.sub(rb"(?m)^\.", b"..", head + _CRLF + body)
    return Mail(
        sender=sender.address,
        destination=message.destination,
        message_id=message_id,
        lines=lines,
        words=(subject, message.text),
    )


def message_id_of(reference: str, sender: Mailbox) -> str:
    """Return the Message-ID of a reference, which cannot be read from it (D-211)."""
    return f"{sha256(b'mail ' + _utf8(reference)).hexdigest()[:40]}@{sender.domain}"


def _sender(named: str | None, origin: Mailbox) -> Mailbox:
    """Return the mailbox that a sender names: a whole one, or a name for that of the account (D-210)."""
    if named is None:
        return origin
    if "@" not in named:
        name = " ".join(_CONTROL.sub(" ", named).split())[:MAX_NAME]
        return Mailbox(address=origin.address, name=name or origin.name)
    try:
        return mailbox_in(named)
    except ValueError:
        raise SenderError from None


def _header(name: bytes, parts: list[bytes]) -> bytes:
    """Return a header; each part that does not fit into its line begins another one."""
    lines = [name + b":"]
    for part in parts:
        if len(lines[-1]) + 1 + len(part) > 76 and not lines[-1].endswith(b":"):
            lines.append(b"")
        lines[-1] += b" " + part
    return _CRLF.join(lines) + _CRLF


def _mailbox(mailbox: Mailbox) -> list[bytes]:
    address = mailbox.address.encode("ascii")
    if mailbox.name is None:
        return [address]
    if _is_plain(mailbox.name):
        quoted = re.sub(r'(["\\])', r"\\\1", mailbox.name)
        return [b'"' + quoted.encode("ascii") + b'"', b"<" + address + b">"]
    return [*_encoded_words(mailbox.name), b"<" + address + b">"]


def _words(text: str) -> list[bytes]:
    return [text.encode("ascii")] if _is_plain(text) else list(_encoded_words(text))


def _is_plain(text: str) -> bool:
    """Return whether every reader takes a text as it stands, and keeps its blanks."""
    printable = text.isascii() and text.isprintable() and len(text) <= _PLAIN_LENGTH
    return printable and "=?" not in text and text == text.strip()


def _encoded_words(text: str) -> Iterator[bytes]:
    """Yield encoded words, which split no character (RFC 2047, 5)."""
    piece = b""
    for character in text:
        one = _utf8(character)
        if len(piece) + len(one) > _WORD_BYTES:
            yield b"=?utf-8?b?" + b64encode(piece) + b"?="
            piece = b""
        piece += one
    yield b"=?utf-8?b?" + b64encode(piece) + b"?="


def _coded(text: str) -> tuple[bytes, bytes]:
    """Return the shorter of two codings of a text and its name; line breaks become those of mail."""
    lines = [_utf8(line) for line in _LINE_BREAK.split(text)]
    # A soft line break is the only line feed here.
    quoted = [b2a_qp(line).replace(b"\n", _CRLF) for line in lines]
    readable = _CRLF.join(quoted) + _CRLF
    whole = _CRLF.join(lines)
    pieces = [whole[at : at + _BASE64_LINE] for at in range(0, len(whole), _BASE64_LINE)]
    compact = b"".join(b64encode(each) + _CRLF for each in pieces)
    if len(readable) <= len(compact) or not whole:
        return b"quoted-printable", readable
    return b"base64", compact


def _utf8(text: str) -> bytes:
    """Return a text in UTF-8, with a question mark for what UTF-8 has not: half of a pair."""
    return text.encode("utf-8", "replace")

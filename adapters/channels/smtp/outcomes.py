"""Turn the replies and failures of a mail server into outcomes (C-68, C-69)."""

from __future__ import annotations

from enum import Enum

from aiosmtplib import SMTPResponse

from ....application.ports.channels import Fault, Rejected
from ..quotations import without_quotations
from ..servers import Server, printable
from .mail import Mail

TLS_FAILED = "smtp_tls_failed"
_LONGEST = 240


class Stage(Enum):
    """The part of a conversation to which a server replies; the value names what it refuses."""

    GREETING = "the connection"
    TLS = "TLS"
    LOGIN = "the login"
    SENDER = "the sender"
    RECIPIENT = "the recipient"
    CONTENT = "the mail"


_FAULTS = {
    Stage.GREETING: Fault.ACCOUNT,
    Stage.TLS: Fault.AWAY,
    Stage.LOGIN: Fault.ACCOUNT,
    Stage.SENDER: Fault.ACCOUNT,
    Stage.RECIPIENT: Fault.RECIPIENT,
    Stage.CONTENT: Fault.CONTENT,
}
_ADVICE = {
    Fault.RECIPIENT: "Check the address.",
    Fault.CONTENT: "Change the text, or ask the mail server's operator.",
    Fault.ACCOUNT: "Check the channel account's from, username and password with the server's operator.",
    Fault.BUSY: "Try again later.",
    Fault.AWAY: "Check the server, and the channel account's host, port and tls.",
}
MAIL_SERVER = Server(name="mail server", prefix="smtp", advice=_ADVICE[Fault.AWAY])
# A server may ask for a login at any stage (RFC 4954).
_LOGIN_WANTED = 530


def refusal(stage: Stage, reply: SMTPResponse, mail: Mail | None = None) -> Rejected:
    """Return the outcome of a reply that is not good; what it quotes from the mail is left out."""
    if not is_refusal(reply):
        return bad_reply()
    fault = _fault(stage, reply.code)
    said = printable(reply.message)
    if mail is not None:
        said = without_quotations(said, mail.words, mail.destination)
    words = f"The mail server refused {stage.value}: {reply.code} {said[:_LONGEST]}".rstrip(" .")
    return Rejected(f"smtp_{reply.code}", f"{words}. {_ADVICE[fault]}", fault)


def connection_cut() -> Rejected:
    """Return the outcome of a connection that the server closed before the mail was handed over."""
    return MAIL_SERVER.away("cut", "The mail server closed the connection.")


def is_refusal(reply: SMTPResponse) -> bool:
    """Return whether a reply refuses, for now or for good."""
    return 400 <= reply.code <= 599


def bad_reply() -> Rejected:
    """Return the outcome of a reply that has no place in the conversation."""
    return MAIL_SERVER.away("bad_reply", "The server's reply is not one of SMTP.")


def _fault(stage: Stage, code: int) -> Fault:
    if stage is Stage.TLS:
        return Fault.AWAY
    if code < 500:
        return Fault.BUSY
    return Fault.ACCOUNT if code == _LOGIN_WANTED else _FAULTS[stage]

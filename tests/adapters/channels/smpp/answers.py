"""Answers of the SMSC of tests: to submits, for `Smsc.answers`, and to binds, for `Smsc.bind_answers`."""

from __future__ import annotations

from tests.adapters.channels.smpp.pdus import (
    INVALID_COMMAND_ID,
    INVALID_COMMAND_LENGTH,
    THROTTLED,
    Command,
    response,
)
from tests.adapters.channels.smpp.smsc import Answer, BindAnswer, Session, Submit

# A header that says it is the longest PDU there can be.
LONGEST_PDU = b"\xff\xff\xff\xff" + b"\x80\x00\x00\x04" + bytes(8)


def accept(submit: Submit) -> None:
    """Accept, under the next id."""
    submit.accept()


def accept_as(message_id: str) -> Answer:
    """Accept, under this id."""
    return lambda submit: submit.accept(message_id)


def refuse(status: int) -> Answer:
    """Answer with a status that refuses."""
    return lambda submit: submit.respond(status)


def throttle(submit: Submit) -> None:
    """Answer that the client sends too fast."""
    submit.respond(THROTTLED)


def never(submit: Submit) -> None:
    """Take it and answer nothing. A test answers later: `smsc.submits[0].accept()`."""


def twice(submit: Submit) -> None:
    """Accept it two times, under two ids."""
    submit.accept()
    submit.accept()


def foreign(submit: Submit) -> None:
    """Accept something that was never sent, and not this."""
    submit.respond(0, "foreign", sequence=submit.sequence + 7_000)


def nack(status: int = INVALID_COMMAND_ID) -> Answer:
    """Answer with a generic_nack."""
    return lambda submit: submit.nack(status)


def nack_nothing(submit: Submit) -> None:
    """Answer with a generic_nack of the sequence number 0, as when a header could not be read."""
    submit.nack(INVALID_COMMAND_LENGTH, sequence=0)


def cut(submit: Submit) -> None:
    """Take it, and close the connection."""
    submit.session.cut()


def cut_within(octets: int) -> Answer:
    """Take it, write so many octets of its acceptance, and close the connection."""

    def partly(submit: Submit) -> None:
        accepted = response(Command.SUBMIT_SM, submit.sequence, 0, submit.session.smsc.next_id())
        submit.session.send(accepted[:octets])
        submit.session.cut()

    return partly


def write(octets: bytes) -> Answer:
    """Take it, and write these octets in place of an answer."""
    return lambda submit: submit.session.send(octets)


def refuse_bind(status: int) -> BindAnswer:
    """Refuse a bind, and let the client close the connection."""
    return lambda session: session.answer_bind(status)


def accept_bind_with(*pdus: bytes) -> BindAnswer:
    """Accept a bind, with more PDUs in the segment of its bind_resp."""
    return lambda session: session.answer_bind(0, *pdus)


def cut_bind(session: Session) -> None:
    """Close the connection in place of an answer to a bind."""
    session.cut()

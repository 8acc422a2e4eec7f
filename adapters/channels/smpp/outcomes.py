"""Turn the statuses and failures of SMPP into outcomes (C-68, C-69)."""

from __future__ import annotations

from collections.abc import Mapping

from ....application.ports.channels import Fault, Rejected
from ..servers import Server
from .pdus import Command
from .statuses import Status, status_name

THROTTLED_SECONDS = 1.0
_FAULTS: Mapping[int, Fault] = {
    Status.ESME_RSYSERR: Fault.AWAY,
    Status.ESME_RMSGQFUL: Fault.BUSY,
    Status.ESME_RTHROTTLED: Fault.BUSY,
    Status.ESME_RX_T_APPN: Fault.BUSY,
    Status.ESME_RINVDSTADR: Fault.RECIPIENT,
    Status.ESME_RINVBNDSTS: Fault.ACCOUNT,
    Status.ESME_RINVSRCADR: Fault.ACCOUNT,
    Status.ESME_RBINDFAIL: Fault.ACCOUNT,
    Status.ESME_RINVPASWD: Fault.ACCOUNT,
    Status.ESME_RINVSYSID: Fault.ACCOUNT,
    # These follow from the settings of the account, and not from the message.
    Status.ESME_RINVSRCTON: Fault.ACCOUNT,
    Status.ESME_RINVSRCNPI: Fault.ACCOUNT,
    Status.ESME_RINVDSTTON: Fault.ACCOUNT,
    Status.ESME_RINVDSTNPI: Fault.ACCOUNT,
}
_LOGIN_REFUSED = frozenset(
    (
        Status.ESME_RALYBND,
        Status.ESME_RBINDFAIL,
        Status.ESME_RINVPASWD,
        Status.ESME_RINVSYSID,
        Status.ESME_RINVSYSTYP,
    )
)
# With these statuses, a generic_nack says that our PDU was not carried out (D-269).
_NOT_CARRIED_OUT = frozenset(
    (
        Status.ESME_RINVCMDLEN,
        Status.ESME_RINVCMDID,
        Status.ESME_RMSGQFUL,
        Status.ESME_RTHROTTLED,
    )
)
# The refusals of one part of a long message after which the part is sent again (D-270).
PASSING = frozenset((Status.ESME_RMSGQFUL, Status.ESME_RTHROTTLED))
_ADVICE = {
    Fault.RECIPIENT: "Check the number.",
    Fault.CONTENT: "Look the status up in the SMSC's documents, or ask its operator.",
    Fault.ACCOUNT: "Check the channel account's settings with the SMSC's operator.",
    Fault.BUSY: "Try again later, or lower the window and the rate of the channel account.",
    Fault.AWAY: "Check the SMSC, and the channel account's host, port and tls.",
}
SMSC = Server(name="SMSC", prefix="smpp", advice=_ADVICE[Fault.AWAY])


class LostError(Exception):
    """The session ended after the message was written, and before its answer came."""


def refused(status: int) -> Rejected:
    """Return the outcome of a message that the SMSC refused with a status."""
    fault = _FAULTS.get(status, Fault.CONTENT)
    words = f"The SMSC refused the message with the status {status_name(status)}. {_ADVICE[fault]}"
    wait = THROTTLED_SECONDS if status == Status.ESME_RTHROTTLED else None
    return Rejected(code_of(status), words, fault, wait)


def bind_refused(status: int) -> Rejected:
    """Return the outcome of a bind that the SMSC refused."""
    fault = Fault.ACCOUNT if status in _LOGIN_REFUSED else Fault.AWAY
    advice = (
        "It allows no further bind of this system_id. End other programs and nodes that use it."
        if status == Status.ESME_RALYBND
        else _ADVICE[fault]
    )
    words = f"The SMSC refused the bind with the status {status_name(status)}. {advice}"
    return Rejected(code_of(status), words, fault)


def is_not_carried_out(command_id: int, status: int) -> bool:
    """Return whether an answer that is no success proves that the message was not taken."""
    return command_id != Command.GENERIC_NACK or status in _NOT_CARRIED_OUT


def code_of(status: int) -> str:
    """Return the error code of a status: its number in hexadecimal, as SMPP and vendors write it."""
    return f"smpp_0x{status:02x}"


def not_bound() -> Rejected:
    """Return the outcome of a message for which there was no session in time."""
    return SMSC.away("not_bound", "There is no session with the SMSC.")


def session_ended() -> Rejected:
    """Return the outcome of a message that still waited when the session ended."""
    return SMSC.away("cut", "The session with the SMSC ended before the message was sent.")


def too_many() -> Rejected:
    """Return the outcome of a message beyond all bounds."""
    words = f"Too many messages wait for the SMSC. {_ADVICE[Fault.BUSY]}"
    return Rejected("smpp_busy", words, Fault.BUSY)

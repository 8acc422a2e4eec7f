"""Send the parts of a message over a session, one after the other, and tell the outcome (D-270)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from ....application.ports.channels import Accepted, Fault, Rejected, Unknown
from ..ids import id_in
from ..quotations import quotes
from ..servers import NotTakenError
from .bodies import MessageResp, SubmitSm
from .keeper import Keeper
from .outcomes import PASSING, LostError, is_not_carried_out, refused
from .pdus import Command, Pdu, PduError
from .receipts import submitted_id
from .session import Late
from .statuses import Status

# The attempts to send a later part that the SMSC certainly did not take.
_TRIES = 4
_CUT = "The session broke before the SMSC said whether it took the message."
_NO_ID = "The SMSC took the message and gave no id that can be kept, so no receipt will match it."
_NACK = "The SMSC answered that it did not understand, and not whether it took the message."
_IN_PART = "The SMSC took the first part of the message, and not all of the others."


async def sent(
    keeper: Keeper,
    parts: Sequence[SubmitSm],
    text: str,
    id_form: str,
    pause: float,
    taken_late: Callable[[str], None],
) -> Accepted | Rejected | Unknown:
    """
    Send a message once; its id is that of its first part.

    If the first part is refused, the others are not sent. Once it was taken, the outcome is no rejection.
    `taken_late` gets the id of a whole message that was taken after the wait for it had been cancelled.
    """

    def late(answer: Pdu) -> None:
        message_id = _id_in(answer, text, id_form) if _is_good(answer) else None
        if message_id is not None:
            taken_late(message_id)

    try:
        # Of several parts, the others were not sent.
        first = await _submitted(keeper, parts[0], late if len(parts) == 1 else None)
    except NotTakenError as error:
        return error.answer
    except LostError:
        return Unknown(message=_CUT)
    if not _is_good(first):
        if is_not_carried_out(first.command_id, first.status):
            return refused(first.status)
        return Unknown(message=_NACK)
    message_id = _id_in(first, text, id_form)
    for part in parts[1:]:
        if not await _is_taken(keeper, part, pause):
            return Unknown(message=_IN_PART, provider_message_id=message_id)
    return Unknown(message=_NO_ID) if message_id is None else Accepted(message_id)


async def _is_taken(keeper: Keeper, part: SubmitSm, pause: float) -> bool:
    """
    Send a later part; return whether the SMSC took it.

    It is sent again only when the SMSC certainly did not take it, since half a message helps nobody.
    """
    for attempt in range(_TRIES):
        if attempt:
            await asyncio.sleep(pause)
        try:
            answer = await _submitted(keeper, part)
        except NotTakenError as error:
            if error.answer.fault is not Fault.AWAY:
                return False
        except LostError:
            return False
        else:
            if _is_good(answer):
                return True
            if answer.status not in PASSING:
                return False
    return False


async def _submitted(keeper: Keeper, part: SubmitSm, late: Late | None = None) -> Pdu:
    session = await keeper.session()
    return await session.submit(part.encode(), late)


def _is_good(answer: Pdu) -> bool:
    return answer.status == Status.ESME_ROK and answer.command_id != Command.GENERIC_NACK


def _id_in(answer: Pdu, text: str, id_form: str) -> str | None:
    """
    Return the message's id in the form in which receipts have it; None without one.

    One that quotes the text, such as its code, is none: ids are stored (D-243).
    """
    try:
        message_id = id_in(MessageResp.decode(answer.body).message_id)
    except PduError:
        return None
    if message_id is None or quotes(message_id, text):
        return None
    return submitted_id(message_id, id_form)

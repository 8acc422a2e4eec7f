"""Log in to an SMSC, and send nothing (C-67)."""

from __future__ import annotations

from ....application.ports.channels import Connected, Rejected
from ...checked_addresses import CheckedAddresses
from ..servers import NotTakenError
from .bodies import MessageResp
from .connecting import Binder
from .outcomes import session_ended
from .pdus import Command, Pdu
from .session import Session
from .settings import BindSettings
from .statuses import Status
from .timings import Timings


async def probed(
    settings: BindSettings,
    standing: Session | None,
    names: CheckedAddresses,
    timings: Timings,
) -> Connected | Rejected:
    """
    Return whether a session stands, or whether one can be bound.

    An SMSC may allow one bind alone, so the session that stands is asked, if there is one.
    """
    if standing is not None:
        alive = await standing.is_alive()
        return Connected(_told(settings, standing)) if alive else session_ended()
    try:
        command = Command.BIND_TRANSMITTER if settings.separate else Command.BIND_TRANSCEIVER
        session = await Binder(settings, names, timings, _repeat_later).bound(command)
    except NotTakenError as error:
        return error.answer
    try:
        return Connected(_told(settings, session))
    finally:
        await session.leave()


def _told(settings: BindSettings, session: Session) -> str:
    version = session.link.tls_version or "without TLS"
    return f"{settings.server} {version}, bound as {settings.system_id}"


def _repeat_later(session: Session, pdu: Pdu) -> None:
    """Leave a delivery to the next session, since nobody says here which channel account it is for."""
    session.answer(pdu, Status.ESME_RX_T_APPN, MessageResp().encode())

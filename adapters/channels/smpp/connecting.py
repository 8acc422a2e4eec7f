"""Connect to an SMSC and bind: its checked addresses, TLS that is verified, and the login (C-63)."""

from __future__ import annotations

import asyncio
import socket
import ssl

from ....application.ports.channels import Fault, Rejected
from ...checked_addresses import AddressRefused, CheckedAddresses
from ..reaching import first_that_answers
from ..server_settings import authority
from .outcomes import NotTakenError, away, tls_failed
from .pdus import Command
from .session import Deliver, Session
from .settings import BindSettings
from .timings import Timings

_MOST_ADDRESSES = 4


class Binder:
    """Makes sessions with one channel account's settings; `deliver` takes what comes over them."""

    def __init__(
        self,
        settings: BindSettings,
        names: CheckedAddresses,
        timings: Timings,
        deliver: Deliver,
    ) -> None:
        self._settings = settings
        self._names = names
        self._timings = timings
        self._deliver = deliver

    async def bound(self, command: Command) -> Session:
        """Return a session that is bound; raises `NotTakenError`."""
        session = Session(self._settings, self._timings, self._deliver)
        try:
            async with asyncio.timeout(self._timings.bind):
                await self._connect(session)
                await session.bind(command)
        except TimeoutError:
            session.abort()
            raise NotTakenError(away("smpp_timeout", "The SMSC is too slow.")) from None
        except BaseException:
            session.abort()
            raise
        return session

    async def _connect(self, session: Session) -> None:
        trusted = await self._trusted()
        reached = await self._reached()
        loop = asyncio.get_running_loop()
        try:
            # From here on the socket is the transport's, which closes it.
            await loop.create_connection(
                lambda: session.link,
                sock=reached,
                ssl=trusted,
                server_hostname=None if trusted is None else self._settings.host,
                ssl_shutdown_timeout=None if trusted is None else self._timings.leave,
            )
        except ssl.SSLError as error:
            raise NotTakenError(tls_failed(error)) from None
        except OSError:
            words = "The SMSC closed the connection before the bind."
            raise NotTakenError(away("smpp_cut", words)) from None

    async def _reached(self) -> socket.socket:
        """Return a socket that is connected to the first address that answers."""
        port, seconds = self._settings.port, self._timings.reach
        try:
            async with asyncio.timeout(seconds):
                found = await self._names.of(self._settings.host)
                return await first_that_answers(found[:_MOST_ADDRESSES], port, seconds)
        except AddressRefused:
            words = "The SMSC's name has an address that is never connected to, such as link-local."
            raise NotTakenError(Rejected("smpp_address_refused", words, Fault.ACCOUNT)) from None
        except TimeoutError:
            words = "The SMSC cannot be reached in time."
            raise NotTakenError(away("smpp_unreachable", words)) from None
        except (OSError, UnicodeError) as error:
            known = isinstance(error, socket.gaierror | UnicodeError)
            words = "The SMSC's name has no address." if known else "No connection was possible."
            raise NotTakenError(away("smpp_unreachable", words)) from None

    async def _trusted(self) -> ssl.SSLContext | None:
        """Return the checks of the SMSC's certificate, read anew for each session; None without TLS."""
        if not self._settings.tls:
            return None
        try:
            return await asyncio.to_thread(_authorities, self._settings.ca_file)
        except (OSError, ValueError):
            words = (
                "The service cannot read the channel account's caFile. Check the file on this node."
            )
            raise NotTakenError(Rejected("smpp_ca_file_unreadable", words, Fault.ACCOUNT)) from None


def _authorities(ca_file: str | None) -> ssl.SSLContext:
    return ssl.create_default_context(cadata=None if ca_file is None else authority(ca_file))

"""Connect to an SMSC and bind: its checked addresses, TLS that is verified, and the login (C-63)."""

from __future__ import annotations

import asyncio
import socket
import ssl

from ...checked_addresses import CheckedAddresses
from ..reaching import first_that_answers
from ..servers import NotTakenError
from .outcomes import SMSC
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
            raise NotTakenError(SMSC.away("timeout", "The SMSC is too slow.")) from None
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
            raise NotTakenError(SMSC.tls_failed(error)) from None
        except OSError:
            words = "The SMSC closed the connection before the bind."
            raise NotTakenError(SMSC.away("cut", words)) from None

    async def _reached(self) -> socket.socket:
        """Return a socket that is connected to the first address that answers."""
        port, seconds = self._settings.port, self._timings.reach
        try:
            async with asyncio.timeout(seconds):
                found = await self._names.of(self._settings.host)
                return await first_that_answers(found[:_MOST_ADDRESSES], port, seconds)
        except (OSError, UnicodeError) as error:
            raise NotTakenError(SMSC.not_reached(error)) from None

    async def _trusted(self) -> ssl.SSLContext | None:
        """Return the checks of the SMSC's certificate, read anew for each session; None without TLS."""
        if not self._settings.tls:
            return None
        return await asyncio.to_thread(SMSC.trusted, self._settings.ca_file)

"""The connections of each channel account: at most eight, kept for the next mails, closed when idle."""

from __future__ import annotations

import asyncio
import ssl
from collections import OrderedDict
from contextlib import suppress

from ....application.ports.channels import Accepted, Fault, Rejected, Unknown
from ...checked_addresses import CheckedAddresses
from ..servers import NotTakenError
from .connecting import connected, trusted_authorities
from .mail import Mail
from .outcomes import TLS_FAILED
from .session import DeadError, SmtpSession
from .settings import TLS_NONE, SmtpSettings

MOST_CONNECTIONS = 8
IDLE_SECONDS = 15.0
# The channel accounts that keep idle connections; beyond, the ones unused for longest lose theirs.
MOST_POOLS = 64
# The seconds for which a mail waits for one of the connections (D-214).
PATIENCE = 4.0
_BUSY = Rejected(
    "smtp_busy",
    f"All {MOST_CONNECTIONS} connections of the channel account are in use. Try again later.",
    Fault.BUSY,
)


class SmtpPool:
    """The connections with one channel account's settings."""

    def __init__(self, settings: SmtpSettings, names: CheckedAddresses) -> None:
        self._settings = settings
        self._names = names
        self._places = asyncio.Semaphore(MOST_CONNECTIONS)
        self._users = 0
        # The most recent one is last and used first, so that the others come to be idle.
        self._idle: list[SmtpSession] = []
        self._trusted: ssl.SSLContext | None = None
        self._is_closed = False

    @property
    def is_unused(self) -> bool:
        """Return whether no mail is on its way, and none waits."""
        return self._users == 0

    async def send(self, mail: Mail) -> Accepted | Rejected | Unknown:
        """Send a mail once. A send that is cancelled drops its connection."""
        self._users += 1
        try:
            await self._take_place()
            try:
                return await self._sent(mail)
            finally:
                self._places.release()
        except NotTakenError as error:
            return error.answer
        finally:
            self._users -= 1

    async def open_session(self) -> SmtpSession:
        """Open a connection; raises `NotTakenError`."""
        if self._trusted is None and self._settings.tls != TLS_NONE:
            self._trusted = await asyncio.to_thread(trusted_authorities, self._settings)
        try:
            return SmtpSession(await connected(self._settings, self._names, self._trusted))
        except NotTakenError as error:
            if error.answer.code == TLS_FAILED:
                # The files of certificates may have changed; the next connection reads them again.
                self._trusted = None
            raise

    def close(self) -> None:
        """Close the idle connections; those in use close after their mail."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().leave()

    async def _take_place(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._places.acquire()
        except TimeoutError:
            raise NotTakenError(_BUSY) from None

    async def _sent(self, mail: Mail) -> Accepted | Rejected | Unknown:
        idle = self._idle_session()
        if idle is not None:
            # Servers close idle connections. One that is dead before its mail begins is replaced, once.
            with suppress(DeadError):
                return await self._sent_over(idle, mail)
        return await self._sent_over(await self.open_session(), mail)

    async def _sent_over(self, session: SmtpSession, mail: Mail) -> Accepted | Rejected | Unknown:
        try:
            refused = await session.begin(mail)
            answer = refused or await session.finish(mail)
        except BaseException:
            session.abort()
            raise
        if session.is_usable and not self._is_closed:
            self._keep(session)
        else:
            session.leave()
        return answer

    def _keep(self, session: SmtpSession) -> None:
        self._idle.append(session)
        session.timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._expire, session)

    def _expire(self, session: SmtpSession) -> None:
        self._idle.remove(session)
        session.leave()

    def _idle_session(self) -> SmtpSession | None:
        while self._idle:
            session = self._idle.pop()
            if session.is_usable:
                session.stop_timer()
                return session
            session.leave()
        return None


class SmtpPools:
    """The pools of all channel accounts; new settings of one make a new pool."""

    def __init__(self, names: CheckedAddresses) -> None:
        self._names = names
        self._pools: OrderedDict[tuple[str, SmtpSettings], SmtpPool] = OrderedDict()

    def of(self, channel_account_id: str, settings: SmtpSettings) -> SmtpPool:
        """Return the pool of a channel account with these settings."""
        key = (channel_account_id, settings)
        pool = self._pools.get(key)
        if pool is None:
            self._make_room(channel_account_id)
            pool = self._pools[key] = SmtpPool(settings, self._names)
        self._pools.move_to_end(key)
        return pool

    def close(self) -> None:
        """Close all connections that are idle."""
        for pool in self._pools.values():
            pool.close()
        self._pools.clear()

    def _make_room(self, channel_account_id: str) -> None:
        """Drop pools that nobody uses: those of older settings, and beyond the bound the oldest."""
        unused = [key for key, pool in self._pools.items() if pool.is_unused]
        surplus = unused[: max(0, len(self._pools) - MOST_POOLS + 1)]
        older = [key for key in unused if key[0] == channel_account_id]
        for key in {*surplus, *older}:
            self._pools.pop(key).close()

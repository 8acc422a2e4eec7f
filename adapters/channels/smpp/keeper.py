"""Keep a session of a channel account bound: for as long as it stands, or as it is used."""

from __future__ import annotations

import asyncio
import random

from ....application.ports.channels import Fault, Rejected
from ...logs import located, logger
from ..servers import NotTakenError
from .connecting import Binder
from .outcomes import not_bound
from .pdus import Command
from .session import Session
from .timings import Timings

_log = logger("watchword.smpp")


class Keeper:
    """
    Holds one bind of a channel account, and binds again after it was lost.

    A keeper that stands binds by itself, with growing pauses. Another one binds for the first send that
    needs it, and leaves when it is idle. A send shortens the pause after an SMSC was out of reach, but never
    the pause after a refused login, because SMSCs lock a login out (D-271).
    """

    def __init__(
        self,
        channel_account_id: str,
        command: Command,
        binder: Binder,
        timings: Timings,
        predecessor: asyncio.Task[None] | None,
    ) -> None:
        self._channel_account_id = channel_account_id
        self._command = command
        self._binder = binder
        self._timings = timings
        # It leaves an older bind, of which an SMSC may allow one alone.
        self._predecessor = predecessor
        self._session: Session | None = None
        self._task: asyncio.Task[None] | None = None
        self._stands = self._is_wanted = self._is_trying = self._is_retired = False
        self._used_at = 0.0
        self._failure: Rejected | None = None
        self._pause = timings.first_pause
        # The times before which the keeper, and a send, begin no attempt.
        self._next_at = self._send_at = 0.0
        self._hurry = asyncio.Event()
        self._tried = asyncio.Event()

    @property
    def bound(self) -> Session | None:
        """Return the session, if messages can be sent over it."""
        return self._session if self._session is not None and self._session.is_open else None

    @property
    def is_idle(self) -> bool:
        """Return whether there is neither a session, nor an attempt to bind."""
        return self._task is None or self._task.done()

    def stand(self, stands: bool) -> None:
        """Bind, and stay bound; or leave when nobody has used the session for a while."""
        self._stands = stands
        if stands and not self._is_retired:
            self._start()

    async def session(self) -> Session:
        """Return the session; binds, or waits a while for a bind. Raises `NotTakenError`."""
        now = asyncio.get_running_loop().time()
        self._used_at = now
        if (bound := self.bound) is not None:
            return bound
        if self._is_retired:
            raise NotTakenError(not_bound())
        if not self._is_trying:
            if self._failure is not None and now < self._send_at:
                raise NotTakenError(self._failure)
            self._tried.clear()
        self._is_wanted = True
        self._hurry.set()
        self._start()
        try:
            async with asyncio.timeout(self._timings.patience):
                await self._tried.wait()
        except TimeoutError:
            raise NotTakenError(not_bound()) from None
        if (bound := self.bound) is not None:
            return bound
        raise NotTakenError(self._failure or not_bound())

    async def retire(self, drain: float) -> None:
        """Leave the session once its answers have come, or the time for them is over; bind never again."""
        self._is_retired, self._stands = True, False
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._tried.set()
        session, self._session = self._session, None
        if session is not None:
            await session.drain(drain)
            await session.leave()

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        if self._predecessor is not None:
            await asyncio.wait((self._predecessor,))
            self._predecessor = None
        while self._stands or self._is_wanted:
            await self._wait_for_turn()
            self._is_wanted = False
            self._session = await self._attempt()
            self._tried.set()
            if self._session is not None:
                await self._hold(self._session)
                self._session = None

    async def _wait_for_turn(self) -> None:
        """Wait until the pause is over, or a send ends it."""
        now = asyncio.get_running_loop().time
        while (left := self._next_at - now()) > 0:
            if self._is_wanted and now() >= self._send_at:
                return
            self._hurry.clear()
            try:
                async with asyncio.timeout(left):
                    await self._hurry.wait()
            except TimeoutError:
                return

    async def _attempt(self) -> Session | None:
        self._is_trying = True
        self._tried.clear()
        try:
            session = await self._binder.bound(self._command)
        except NotTakenError as error:
            self._failed(error.answer)
            return None
        except Exception as error:
            # Nobody would notice the end of this task.
            _log.error("smpp_not_bound", channel_account=self._channel_account_id, **located(error))
            self._failed(not_bound())
            return None
        finally:
            self._is_trying = False
        self._failure = None
        _log.info("smpp_bound", channel_account=self._channel_account_id)
        return session

    async def _hold(self, session: Session) -> None:
        """Return when a session has ended, or was left because nobody used it."""
        now = asyncio.get_running_loop().time
        since = now()
        while True:
            try:
                async with asyncio.timeout(self._timings.idle):
                    await session.wait_ended()
                    break
            except TimeoutError:
                used_at = max(self._used_at, since)
                if not (self._stands or session.is_busy or now() < used_at + self._timings.idle):
                    await session.leave()
                    return
        self._lost(now() - since)

    def _failed(self, answer: Rejected) -> None:
        if self._failure is None or self._failure.code != answer.code:
            # An SMSC that is away for a day has one line, and not one for each attempt.
            _log.warning(
                "smpp_not_bound", channel_account=self._channel_account_id, code=answer.code
            )
        self._failure = answer
        pause = self._next_pause()
        first = min(pause, self._timings.first_pause)
        self._next_at = asyncio.get_running_loop().time() + pause
        self._send_at = self._next_at - (0 if answer.fault is Fault.ACCOUNT else pause - first)

    def _lost(self, lived: float) -> None:
        """Bind again soon; a send waits for that, since an SMSC that was there is rarely gone for long."""
        _log.warning("smpp_session_ended", channel_account=self._channel_account_id)
        now = asyncio.get_running_loop().time()
        lasted = lived >= self._timings.stable
        if lasted:
            self._pause = self._timings.first_pause
        self._next_at = now + self._next_pause()
        self._send_at = now if lasted else self._next_at

    def _next_pause(self) -> float:
        """Return the pause before the next attempt; the one after it is twice as long."""
        pause, self._pause = self._pause, min(2 * self._pause, self._timings.longest_pause)
        # Nodes that lost the same SMSC come back one after the other.
        return pause * random.uniform(0.5, 1.0)  # noqa: S311  nobody gains from a guess of it

"""A session with an SMSC: a bound connection, its window, and the answers that are still to come."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from ..servers import NotTakenError
from .bodies import SMPP_3_4, Bind
from .link import Link
from .outcomes import LostError, bind_refused, session_ended
from .pdus import LAST_SEQUENCE, RESPONSE, Command, Pdu
from .settings import BindSettings
from .statuses import Status
from .timings import Timings
from .window import Window

_BINDS = frozenset((Command.BIND_RECEIVER, Command.BIND_TRANSMITTER, Command.BIND_TRANSCEIVER))
_DELIVERIES = frozenset((Command.DELIVER_SM, Command.DATA_SM))
# Requests that have no response.
_NOTICES = frozenset((Command.ALERT_NOTIFICATION, Command.OUTBIND))

# Is called with each PDU that delivers something; it answers by `Session.answer`.
Deliver = Callable[["Session", Pdu], None]
# Is called with the answer to a message that nobody waits for any more.
Late = Callable[[Pdu], None]


class _Request:
    """A request of ours, until its response comes."""

    __slots__ = ("answer", "at", "command", "has_place", "late")

    def __init__(self, command: int, at: float, *, has_place: bool, late: Late | None) -> None:
        self.command = command
        self.at = at
        self.has_place = has_place
        self.late = late
        # The response, or None if the session ended before it.
        self.answer: asyncio.Future[Pdu | None] = asyncio.get_running_loop().create_future()

    def tell_late(self, answer: Pdu) -> None:
        """Tell of an answer that its sender does not get."""
        if self.late is not None:
            self.late(answer)


class Session:
    """
    One connection with one bind.

    `wait_ended` returns when it has ended, for whatever reason. Then all that was written and not answered is
    lost, and all that waited was not sent. A response that nobody waits for any more frees its place, and one
    that answers nothing of ours is ignored.
    """

    def __init__(self, settings: BindSettings, timings: Timings, deliver: Deliver) -> None:
        self.link = Link(self._take, self._lost)
        self._settings = settings
        self._timings = timings
        self._deliver = deliver
        self._window = Window(settings.window, timings.patience)
        # In the order in which they were written.
        self._requests: dict[int, _Request] = {}
        self._sequence = 0
        self._is_bound = False
        self._is_leaving = False
        self._ended = asyncio.Event()
        self._drained = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._abort: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        """Return whether messages can be sent."""
        return self._is_bound and not self._is_leaving and self.link.is_open

    @property
    def is_busy(self) -> bool:
        """Return whether an answer is still to come, or a message waits."""
        return bool(self._requests) or self._window.waiting > 0

    async def bind(self, command: Command) -> None:
        """Bind, and begin to watch the connection; raises `NotTakenError`."""
        body = Bind(
            system_id=self._settings.system_id,
            password=self._settings.password,
            system_type=self._settings.system_type,
            interface_version=SMPP_3_4,
        )
        try:
            answer = await self._answered(command, body.encode())
        except LostError:
            raise NotTakenError(session_ended()) from None
        if answer.status != Status.ESME_ROK or answer.command_id == Command.GENERIC_NACK:
            raise NotTakenError(bind_refused(answer.status))
        self._watch = asyncio.create_task(self._keep_alive())

    async def submit(self, body: bytes, late: Late | None = None) -> Pdu:
        """
        Send a message when there is a place in the window, and return its answer.

        Raises `NotTakenError` if it was not written, and `LostError` if the session ended without an answer.
        A send that is cancelled once it was written keeps its place until the answer comes, which goes to
        `late` then.
        """
        await self._window.take()
        if not self.is_open:
            self._window.free()
            raise NotTakenError(session_ended())
        return await self._answered(Command.SUBMIT_SM, body, has_place=True, late=late)

    async def is_alive(self) -> bool:
        """Return whether the SMSC answers an enquire_link in time."""
        try:
            async with asyncio.timeout(self._timings.enquire):
                await self._answered(Command.ENQUIRE_LINK)
        except (LostError, TimeoutError):
            return False
        return True

    def answer(self, request: Pdu, status: int = Status.ESME_ROK, body: bytes = b"") -> None:
        """Answer a request of the SMSC, if the session still lives."""
        self.link.write(request.answer(status, body))

    async def wait_ended(self) -> None:
        """Wait until the connection has ended."""
        await self._ended.wait()

    async def drain(self, seconds: float) -> None:
        """Wait until every message has its answer and none waits, or the seconds are over."""
        self._drained.clear()
        if not self.is_busy or self._ended.is_set():
            return
        try:
            async with asyncio.timeout(seconds):
                await self._drained.wait()
        except TimeoutError:
            return

    async def leave(self) -> None:
        """Unbind and end the connection; what waits is not sent any more."""
        was_bound = self.is_open
        self._is_leaving = True
        self._window.end()
        try:
            if was_bound:
                async with asyncio.timeout(self._timings.leave):
                    await self._answered(Command.UNBIND)
                    self.link.close()
                    await self._ended.wait()
        except (LostError, TimeoutError):
            pass
        finally:
            self.link.abort()

    def abort(self) -> None:
        """End the connection now."""
        self.link.abort()

    async def _answered(
        self,
        command: Command,
        body: bytes = b"",
        *,
        has_place: bool = False,
        late: Late | None = None,
    ) -> Pdu:
        """Write a request, and return its response; raises `LostError`."""
        if not self.link.is_open:
            raise LostError
        loop = asyncio.get_running_loop()
        request = _Request(command, loop.time(), has_place=has_place, late=late)
        sequence = self._next_sequence()
        self._requests[sequence] = request
        if has_place and self._deadline is None:
            self._deadline = loop.call_later(self._timings.response, self._check_responses)
        self.link.write(Pdu(command, 0, sequence, body))
        try:
            answer = await request.answer
        except asyncio.CancelledError:
            if not request.answer.cancelled() and (came := request.answer.result()) is not None:
                # It came in the same moment.
                request.tell_late(came)
            raise
        if answer is None:
            raise LostError
        return answer

    def _next_sequence(self) -> int:
        """Return the next number that no request has which is still to be answered."""
        while True:
            self._sequence = self._sequence % LAST_SEQUENCE + 1
            if self._sequence not in self._requests:
                return self._sequence

    def _take(self, pdu: Pdu) -> None:
        if pdu.is_response:
            self._take_response(pdu)
        elif pdu.command_id == Command.ENQUIRE_LINK:
            self.answer(pdu)
        elif pdu.command_id == Command.UNBIND:
            self._part(pdu)
        elif pdu.command_id in _DELIVERIES and self._is_bound:
            self._deliver(self, pdu)
        elif pdu.command_id in _DELIVERIES:
            self.answer(pdu, Status.ESME_RINVBNDSTS)
        elif pdu.command_id not in _NOTICES:
            nack = Pdu(Command.GENERIC_NACK, Status.ESME_RINVCMDID, pdu.sequence)
            self.link.write(nack)

    def _take_response(self, pdu: Pdu) -> None:
        request = self._requests.get(pdu.sequence)
        if request is None or pdu.command_id not in (
            request.command | RESPONSE,
            Command.GENERIC_NACK,
        ):
            # It is late, repeated, or belongs to somebody else.
            return
        del self._requests[pdu.sequence]
        if request.command in _BINDS and pdu.status == Status.ESME_ROK:
            # At once, because a receipt may follow in the same segment.
            self._is_bound = pdu.command_id != Command.GENERIC_NACK
        if request.has_place:
            if pdu.status == Status.ESME_RTHROTTLED:
                self._window.pause(self._timings.throttled)
            self._window.free()
        if request.answer.done():
            request.tell_late(pdu)
        else:
            request.answer.set_result(pdu)
        if not self.is_busy:
            self._drained.set()

    def _part(self, unbind: Pdu) -> None:
        """Answer the SMSC's unbind: it may still answer what it has, and then closes the connection."""
        self._is_leaving = True
        self._window.end()
        self.answer(unbind)
        if self._abort is None:
            loop = asyncio.get_running_loop()
            self._abort = loop.call_later(self._timings.leave, self.link.abort)

    def _check_responses(self) -> None:
        """End a session whose SMSC does not answer a message at all (D-269)."""
        self._deadline = None
        oldest = next((each for each in self._requests.values() if each.has_place), None)
        if oldest is None:
            return
        loop = asyncio.get_running_loop()
        until = oldest.at + self._timings.response
        if until <= loop.time():
            self.abort()
        else:
            self._deadline = loop.call_at(until, self._check_responses)

    async def _keep_alive(self) -> None:
        while True:
            await asyncio.sleep(self._settings.enquire_seconds)
            if not await self.is_alive():
                self.abort()
                return

    def _lost(self) -> None:
        self._is_bound = False
        if self._watch is not None:
            self._watch.cancel()
        for timer in (self._deadline, self._abort):
            if timer is not None:
                timer.cancel()
        self._window.end()
        requests, self._requests = self._requests, {}
        for request in requests.values():
            if not request.answer.done():
                request.answer.set_result(None)
        self._ended.set()
        self._drained.set()

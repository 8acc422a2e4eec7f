"""Answer what an SMSC delivers, each delivery once it is durable (C-70)."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence

from attrs import field, frozen

from ....application.ports.channels import Context
from ...logs import located, logger
from .bodies import DeliverSm, MessageResp, delivery_in
from .pdus import Pdu, PduError
from .recording import Recording
from .session import Session
from .settings import SmppSettings
from .statuses import Status
from .timings import Timings
from .unreadable import Unreadable

# The deliveries of a channel account that are not recorded yet; the SMSC repeats those beyond (D-272).
MOST_UNHEARD = 512
# The octets of those that wait, or one delivery: their texts may have 64 KiB each.
MOST_OCTETS = 1_048_576
# The deliveries that are recorded together.
MOST_AT_ONCE = 64
_NO_ID = MessageResp().encode()

_log = logger("watchword.smpp")


@frozen
class _Unheard:
    """A delivery that waits to be recorded, and the session that it is answered on."""

    session: Session
    pdu: Pdu
    delivery: DeliverSm = field(repr=False)


class Hearing:
    """
    What one channel account hears.

    One task records deliveries in their order, many at once. While the store is out of reach, none gets a
    positive answer: after a few attempts, the SMSC is asked to deliver them again.
    """

    def __init__(
        self,
        channel_account_id: str,
        settings: SmppSettings,
        context: Context,
        timings: Timings,
    ) -> None:
        self.settings = settings
        self._channel_account_id = channel_account_id
        self._context = context
        self._unreadable = Unreadable(channel_account_id)
        self._recording = Recording(channel_account_id, context, self._unreadable, timings.hear)
        self._timings = timings
        self._unheard: deque[_Unheard] = deque()
        self._in_hand = 0
        # Of all that wait or are in hand.
        self._octets = 0
        self._is_finished = False
        self._task: asyncio.Task[None] | None = None
        self._late: asyncio.TimerHandle | None = None

    def take(self, session: Session, pdu: Pdu) -> None:
        """Take a delivery, and answer it now or later."""
        if self._is_finished or self._is_full(len(pdu.body)):
            session.answer(pdu, Status.ESME_RX_T_APPN, _NO_ID)
            return
        try:
            delivery = delivery_in(pdu)
        except PduError as error:
            self._unreadable.count(error)
            session.answer(pdu, Status.ESME_RX_P_APPN, _NO_ID)
            return
        self._unheard.append(_Unheard(session, pdu, delivery))
        self._octets += len(pdu.body)
        self._work()

    def taken_late(self, reference: str, message_id: str) -> None:
        """Take a late answer of the SMSC: it has the message with this reference (D-301)."""
        if not self._is_finished:
            self._recording.late_answers.take(reference, message_id, self._context.now())
            self._work()

    async def finish(self, seconds: float) -> None:
        """Record what is here, as far as the seconds allow, and take nothing more."""
        self._is_finished = True
        if self._late is not None:
            self._late.cancel()
        try:
            async with asyncio.timeout(seconds):
                if self._task is not None:
                    await self._task
                await self._recording.record_rest(self.settings)
        except TimeoutError:
            return

    def _is_full(self, octets: int) -> bool:
        """Return whether there is no room for another delivery."""
        number = len(self._unheard) + self._in_hand
        return number >= MOST_UNHEARD or (number > 0 and self._octets + octets > MOST_OCTETS)

    def _work(self) -> None:
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._record_all())

    async def _record_all(self) -> None:
        while True:
            batch = [self._unheard.popleft() for _ in range(min(MOST_AT_ONCE, len(self._unheard)))]
            self._in_hand = len(batch)
            for each, is_done in zip(batch, await self._recorded(batch), strict=True):
                status = Status.ESME_ROK if is_done else Status.ESME_RX_T_APPN
                each.session.answer(each.pdu, status, _NO_ID)
                self._octets -= len(each.pdu.body)
            self._in_hand = 0
            if not (self._unheard or self._recording.late_answers.wait):
                break
        self._look_again()

    async def _recorded(self, batch: Sequence[_Unheard]) -> Sequence[bool]:
        try:
            await self._recording.record_late_answers()
            await self._recording.record_late(self.settings)
            deliveries = [each.delivery for each in batch]
            return await self._recording.record(deliveries, self.settings)
        except Exception as error:
            # Nobody would notice the end of this task.
            _log.error(
                "smpp_delivery_failed",
                channel_account=self._channel_account_id,
                **located(error),
            )
            return [False] * len(batch)

    def _look_again(self) -> None:
        """Look later for texts whose missing pieces do not come."""
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if not self._is_finished and self._recording.awaits_pieces:
            loop = asyncio.get_running_loop()
            self._late = loop.call_later(self._timings.pieces, self._work)

"""Record what an SMSC delivers: receipts together, and messages of people once all their pieces are here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from ....application.errors import UnavailableError
from ....application.ports.channels import Context, Report
from ....domain.accounts.channel_account import ChannelAccountNotFoundError
from ...logs import located, logger
from ..turns import Turns
from .bodies import DeliverSm
from .inbound import Piece, message_in, piece_in
from .late_answers import LateAnswers
from .pdus import PduError
from .reassembling import Reassembly, Whole
from .receipts import is_receipt, report_in
from .settings import SmppSettings
from .unreadable import Unreadable

# The attempts to record something before the SMSC is asked to deliver it again.
_TRIES = 3

_log = logger("watchword.smpp")


class Recording:
    """
    Records deliveries of one channel account; one task at a time calls it.

    `pause` is that before the next attempt, in seconds. Each call says what is durable now.
    """

    def __init__(
        self, channel_account_id: str, context: Context, unreadable: Unreadable, pause: float
    ) -> None:
        self._channel_account_id = channel_account_id
        self._context = context
        self._unreadable = unreadable
        self._pause = pause
        self._reassembly = Reassembly()
        self.late_answers = LateAnswers()

    @property
    def awaits_pieces(self) -> bool:
        """Return whether a long text is here in part."""
        return next(self._reassembly.rest(), None) is not None

    async def record(
        self, deliveries: Sequence[DeliverSm], settings: SmppSettings
    ) -> Sequence[bool]:
        """Record deliveries; return for each whether it may be acknowledged."""
        reports: list[Report] = []
        pieces: dict[int, Piece] = {}
        turns = Turns()
        for at, delivery in enumerate(deliveries):
            await turns.pause()
            if is_receipt(delivery):
                reports += self._report_in(delivery, settings)
                continue
            piece = piece_in(delivery)
            if piece.total == 1:
                reports.append(message_in([piece], settings.encoding))
            else:
                pieces[at] = piece
        done = [await self._is_durable(reports, _TRIES)] * len(deliveries)
        for at, piece in pieces.items():
            texts = self._reassembly.take(piece, self._context.now())
            # What waits behind these deliveries need not wait for each of them.
            done[at] = await self._are_durable(texts, settings, _TRIES if all(done) else 1)
        return done

    async def record_late_answers(self) -> None:
        """Record the late answers of the SMSC; one that cannot be recorded leaves its message unknown."""
        await self._is_durable(self.late_answers.taken(), 1)

    async def record_late(self, settings: SmppSettings) -> None:
        """Record the texts whose missing pieces are awaited no more."""
        await self._are_durable(self._reassembly.due(self._context.now()), settings, 1)

    async def record_rest(self, settings: SmppSettings) -> None:
        """Record all texts that are here in part."""
        await self._are_durable(self._reassembly.rest(), settings, 1)

    def _report_in(self, delivery: DeliverSm, settings: SmppSettings) -> Sequence[Report]:
        try:
            report = report_in(delivery, settings.id_form, self._context.now())
            return [self.late_answers.explained(report)]
        except PduError as error:
            # It is acknowledged all the same: repeated, it would be no better.
            self._unreadable.count(error)
            return []

    async def _are_durable(
        self, texts: Iterable[Whole], settings: SmppSettings, tries: int
    ) -> bool:
        for whole in texts:
            if not await self._is_durable([message_in(whole.pieces, settings.encoding)], tries):
                return False
            self._reassembly.forget(whole)
        return True

    async def _is_durable(self, reports: Sequence[Report], tries: int) -> bool:
        """Record reports, in so many attempts at most; return whether they may be acknowledged."""
        if not reports:
            return True
        for attempt in range(tries):
            if attempt:
                await asyncio.sleep(self._pause)
            try:
                await self._context.hear(self._channel_account_id, reports)
            except UnavailableError:
                continue
            except ChannelAccountNotFoundError:
                # Nobody will ever hear them.
                return True
            except Exception as error:
                _log.error(
                    "smpp_delivery_failed",
                    channel_account=self._channel_account_id,
                    **located(error),
                )
                return False
            return True
        return False

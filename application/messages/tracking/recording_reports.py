"""Record the reports of providers, however they arrive: in a post or on a connection (C-34, C-70)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ...errors import UnavailableError
from ...message_templates.receiving_reviews import ReceivingReviews
from ...ports.channels import InboundMessage, ProviderReport, Report, TemplateReview
from ...ports.provider_observer import LeftOut, ProviderObserver
from .addressed_reports import AddressedReports
from .receiving_messages import ReceivingMessages
from .tracking_receipts import TrackingReceipts

# A large post has many thousands of reports; so many at once share their commits.
AT_ONCE = 16


class RecordingReports:
    """
    Records receipts, inbound messages and template reviews, each by itself (D-46).

    A report that cannot be applied is counted and does not stop the others: its provider would repeat
    it for days, and it would never apply.
    """

    def __init__(
        self,
        addressed: AddressedReports,
        tracking: TrackingReceipts,
        receiving: ReceivingMessages,
        reviews: ReceivingReviews,
        observers: Sequence[ProviderObserver],
    ) -> None:
        self._addressed = addressed
        self._tracking = tracking
        self._receiving = receiving
        self._reviews = reviews
        self._observers = observers

    async def record(
        self, channel_account_id: str, reports: Sequence[Report], request_id: str
    ) -> None:
        """
        Record reports, and return once all that can be applied are durable.

        Raises `UnavailableError` when the store is out of reach, so that the provider repeats all. A
        repeated receipt is recorded and changes nothing (C-22). Receipts of one message keep their order.
        """
        accounts = await self._addressed.concerned(channel_account_id, reports)
        unaddressed = sum(not each for each in accounts)
        if unaddressed:
            # One post may have ten thousand, and the log has one line for it.
            self.left_out(channel_account_id, LeftOut.UNADDRESSED, number=unaddressed)
        waiting = zip(reports, accounts, strict=True)

        async def work() -> None:
            for report, concerned in waiting:
                for each in concerned:
                    await self._apply(channel_account_id, each, report, request_id)

        out_of_reach = False
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(AT_ONCE, len(reports))):
                    group.create_task(work())
        except* UnavailableError:
            out_of_reach = True
        if out_of_reach:
            raise UnavailableError

    async def _apply(
        self, called: str, channel_account_id: str, report: Report, request_id: str
    ) -> None:
        try:
            await self._record(channel_account_id, report, request_id)
        except UnavailableError:
            raise
        except Exception as error:
            self.left_out(called, LeftOut.INAPPLICABLE, type(error).__name__)

    def left_out(
        self, channel_account_id: str, reason: LeftOut, error: str | None = None, number: int = 1
    ) -> None:
        """Count parts of a post that are acknowledged although they were not recorded."""
        for observer in self._observers:
            observer.left_out(channel_account_id, reason, error, number)

    async def _record(self, channel_account_id: str, report: Report, request_id: str) -> None:
        match report:
            case ProviderReport():
                await self._tracking.track(channel_account_id, report, request_id)
            case InboundMessage():
                await self._receiving.receive(channel_account_id, report, request_id)
            case TemplateReview():
                await self._reviews.receive(channel_account_id, report, request_id)

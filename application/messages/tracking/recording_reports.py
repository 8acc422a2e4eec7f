"""Record the reports of providers, however they arrive: in a post or on a connection (C-34, C-70)."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import UnavailableError
from ...message_templates.receiving_reviews import ReceivingReviews
from ...ports.channels import InboundMessage, ProviderReport, Report, TemplateReview
from .receiving_messages import ReceivingMessages
from .tracking_receipts import TrackingReceipts


class RecordingReports:
    """Records receipts, inbound messages and template reviews, each part by itself (D-46)."""

    def __init__(
        self, tracking: TrackingReceipts, receiving: ReceivingMessages, reviews: ReceivingReviews
    ) -> None:
        self._tracking = tracking
        self._receiving = receiving
        self._reviews = reviews

    async def record(
        self, channel_account_id: str, reports: Sequence[Report], request_id: str
    ) -> None:
        """
        Record all reports, and return once they are durable.

        Raises `UnavailableError` when the store is out of reach. A part that fails does not stop the
        others. Its error is raised at the end, so that the provider repeats all parts. A repeated
        receipt is recorded and changes nothing (C-22, D-46).
        """
        failed = None
        for report in reports:
            try:
                await self._record(channel_account_id, report, request_id)
            except UnavailableError:
                raise
            except Exception as error:
                failed = error
        if failed is not None:
            raise failed

    async def _record(self, channel_account_id: str, report: Report, request_id: str) -> None:
        match report:
            case ProviderReport():
                await self._tracking.track(channel_account_id, report, request_id)
            case InboundMessage():
                await self._receiving.receive(channel_account_id, report, request_id)
            case TemplateReview():
                await self._reviews.receive(channel_account_id, report, request_id)

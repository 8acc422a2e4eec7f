"""Messages that an SMSC took after their senders had stopped to wait, and what they explain (D-301)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from datetime import datetime

from attrs import evolve

from ....application.ports.channels import ProviderReport
from ....domain.receipt import Receipt, ReceiptStatus

# The ids that are kept for receipts to come, and the answers that wait to be recorded.
MOST_IDS = 10_000
MOST_WAITING = 512


class LateAnswers:
    """
    The late answers of one channel account in this process.

    The outcome of such a message is unknown, and no receipt of SMPP names our reference. So the answer
    itself is reported, and receipts with its id get the reference.
    """

    def __init__(self) -> None:
        self._references: OrderedDict[str, str] = OrderedDict()
        self._waiting: list[ProviderReport] = []

    @property
    def wait(self) -> bool:
        """Return whether an answer is to be recorded."""
        return bool(self._waiting)

    def take(self, reference: str, message_id: str, at: datetime) -> None:
        """Take an answer, which says that the SMSC has the message."""
        self._references[message_id] = reference
        if len(self._references) > MOST_IDS:
            self._references.popitem(last=False)
        if len(self._waiting) < MOST_WAITING:
            receipt = Receipt(status=ReceiptStatus.SENT, reported_at=at)
            self._waiting.append(
                ProviderReport(provider_message_id=message_id, reference=reference, receipt=receipt)
            )

    def taken(self) -> Sequence[ProviderReport]:
        """Return what is to be recorded, once."""
        waiting, self._waiting = self._waiting, []
        return waiting

    def explained(self, report: ProviderReport) -> ProviderReport:
        """Return a receipt with the reference of its message, if the answer was late."""
        reference = self._references.get(report.provider_message_id or "")
        return report if reference is None else evolve(report, reference=reference)

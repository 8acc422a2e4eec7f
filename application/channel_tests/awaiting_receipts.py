"""Find the receipt of a test's message, on whichever node it arrives (C-67)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ...domain.parked_receipt import parked_receipt_decider
from ...domain.receipt import Receipt, ReceiptStatus, provider_message
from ..journal import Journal
from ..records import is_id_of

# The seconds between two looks.
PAUSE = 0.5


class AwaitingReceipts:
    """
    Looks for parked receipts until one says that the message arrived or failed.

    A test is no message, so its receipts are parked under the provider's id or the test's reference.
    They are in the store, which all nodes share.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def newest(
        self, channel_account_id: str, ids: Sequence[str], seconds: float
    ) -> Receipt | None:
        """
        Return the last receipt for one of the ids; wait until it decides, or the time is over.

        `ids` are the provider's id of the message and the test's reference, as far as they are known.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while True:
            found = await self._newest(channel_account_id, ids)
            left = deadline - loop.time()
            if left <= 0 or (found is not None and found.status is not ReceiptStatus.SENT):
                return found
            await asyncio.sleep(min(PAUSE, left))

    async def _newest(self, channel_account_id: str, ids: Sequence[str]) -> Receipt | None:
        receipts: list[Receipt] = []
        for each in ids:
            holder = await self._journal.holder(provider_message(channel_account_id, each))
            if holder is not None and is_id_of(parked_receipt_decider, holder):
                parked = await self._journal.load(parked_receipt_decider, holder)
                receipts += parked.state.receipts
        decided = [each for each in receipts if each.status is not ReceiptStatus.SENT]
        found = decided or receipts
        return found[-1] if found else None

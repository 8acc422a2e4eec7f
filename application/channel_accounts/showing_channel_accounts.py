"""Show channel accounts: their rows, their addresses, and their health in this process (C-66)."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from ..records.channel_account import ChannelAccountRow
from .callback_urls import CallbackUrlOf
from .health import ChannelHealths
from .last_receipts import LastReceipts
from .views import ChannelAccountView


class ShowingChannelAccounts:
    """Makes the views of channel accounts; `callback_path` is what operators see without a public URL."""

    def __init__(
        self,
        healths: ChannelHealths,
        receipts: LastReceipts,
        callback_url: CallbackUrlOf,
        callback_path: Callable[[str], str],
    ) -> None:
        self._healths = healths
        self._receipts = receipts
        self._callback_url = callback_url
        self._callback_path = callback_path

    def view(self, row: ChannelAccountRow, query: str = "") -> ChannelAccountView:
        """
        Return the view of a row.

        A secret `query` is told once, with the address. It is told without a public URL, too, because
        nobody could read it later (C-66).
        """
        url = self._callback_url(row.id)
        if query:
            url = f"{url or self._callback_path(row.id)}?{query}"
        health = evolve(self._healths.health(row.id), last_receipt=self._receipts.of(row.id))
        return ChannelAccountView.of(row, url, health)

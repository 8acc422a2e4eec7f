"""Show channel accounts: their rows, with what this process knows of them (C-66)."""

from __future__ import annotations

from collections.abc import Callable

from ..records.channel_account import ChannelAccountRow
from .channel_health import ChannelHealths
from .views import ChannelAccountView

# Returns the public address that hears posts about a channel account, if there is one.
CallbackUrlOf = Callable[[str], str | None]
# An address without a public URL, which the operator completes.
_PATH = "/callbacks/{}"


class ShowingChannelAccounts:
    """Makes the views of channel accounts."""

    def __init__(self, healths: ChannelHealths, callback_url: CallbackUrlOf) -> None:
        self._healths = healths
        self._callback_url = callback_url

    def view(self, row: ChannelAccountRow, query: str = "") -> ChannelAccountView:
        """
        Return the view of a row.

        A secret `query` is told once, with the address. It is told without a public URL, too, because
        nobody could read it later (C-66).
        """
        url = self._callback_url(row.id)
        if query:
            url = f"{url or _PATH.format(row.id)}?{query}"
        return ChannelAccountView.of(row, url, self._healths.health(row.id))

"""The service as an open provider sees it, for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from ...application.errors import UnavailableError
from ...application.ports.channels import MediaFile, ProviderAccount, Report
from ...domain.accounts.channel_account import ChannelAccountNotFoundError
from .clocks import StillClock

ADDRESS = "https://pins.example.com/callbacks"


class FakeContext:
    """
    A `Context` that keeps what it hears.

    `heard` has each call of `hear`: the channel account and its reports. While `away` is true, `hear`
    raises `UnavailableError`, as it does when the store is out of reach. If it was made with accounts, `hear`
    raises `ChannelAccountNotFoundError` for all others. `media` are uploaded files, by their ids.
    Without `public`, the service has no `--public-url`.
    """

    def __init__(
        self,
        *accounts: ProviderAccount,
        clock: StillClock | None = None,
        public: bool = True,
        media: Mapping[str, MediaFile] | None = None,
    ) -> None:
        self._media = media or {}
        self.clock = clock or StillClock()
        self.heard: list[tuple[str, Sequence[Report]]] = []
        self.away = False
        self._accounts = accounts
        self._public = public

    async def hear(self, channel_account_id: str, reports: Sequence[Report]) -> None:
        """Add a call to `heard`."""
        if self.away:
            raise UnavailableError
        known = {each.channel_account_id for each in self._accounts}
        if known and channel_account_id not in known:
            raise ChannelAccountNotFoundError
        self.heard.append((channel_account_id, reports))

    async def accounts(self) -> Sequence[ProviderAccount]:
        """Return the channel accounts that it was made with."""
        return self._accounts

    def callback_url(self, channel_account_id: str) -> str | None:
        """Return an address of https://pins.example.com."""
        return f"{ADDRESS}/{channel_account_id}" if self._public else None

    async def media(self, media_id: str, most_bytes: int) -> MediaFile | None:
        """Return a file that it was made with, unless it has more bytes."""
        file = self._media.get(media_id)
        return None if file is None or len(file.content) > most_bytes else file

    def now(self) -> datetime:
        """Return the time of its clock."""
        return self.clock.now()

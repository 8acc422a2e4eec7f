"""The parts of the service that an open channel provider may use (C-70)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime

from ..domain.accounts.channel_account import (
    ChannelAccountNotFoundError,
    channel_account_decider,
)
from ..domain.media import MediaNotFoundError, MediaRemovedError
from .channel_accounts.callback_urls import CallbackUrlOf
from .channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from .journal import Journal
from .media.hosted_media import HostedMedia
from .messages.tracking.recording_reports import RecordingReports
from .ports.channels import MediaFile, ProviderAccount, Report
from .ports.clock import Clock
from .ports.listings import Equals
from .ports.randomness import Randomness
from .records.channel_account import ChannelAccountRow


class ProviderContext:
    """The `Context` of one provider, which reaches the channel accounts of this provider only."""

    def __init__(
        self,
        provider: str,
        journal: Journal,
        secrets: ChannelSecrets,
        recording: RecordingReports,
        media: HostedMedia,
        callback_url: CallbackUrlOf,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._provider = provider
        self._journal = journal
        self._secrets = secrets
        self._recording = recording
        self._media = media
        self._callback_url = callback_url
        self._randomness = randomness
        self._clock = clock

    async def hear(self, channel_account_id: str, reports: Sequence[Report]) -> None:
        """
        Record reports that came on a connection of the provider's own; return once they are durable.

        Raises `ChannelAccountNotFoundError` unless the channel account is one of this provider, and
        `UnavailableError`.
        """
        account = await self._journal.find(channel_account_decider, channel_account_id)
        if account is None or account.state.provider != self._provider:
            raise ChannelAccountNotFoundError
        request_id = self._randomness.new_id("req")
        await self._recording.record(channel_account_id, reports, request_id)

    async def accounts(self) -> Sequence[ProviderAccount]:
        """
        Return the channel accounts of this provider, with the secrets of their configs.

        Those whose secrets this node cannot open are left out. Raises `UnavailableError`.
        """
        found: list[ProviderAccount] = []
        async for row in self._journal.every(ChannelAccountRow, Equals("provider", self._provider)):
            account = (await self._journal.load(channel_account_decider, row.id)).state
            with suppress(ChannelSecretMissingError):
                found.append(
                    ProviderAccount(
                        channel_account_id=row.id,
                        channel=account.channel_type,
                        sender=account.sender,
                        config=await self._secrets.config_of(row.id, account),
                        enabled=account.enabled,
                    )
                )
        return found

    def callback_url(self, channel_account_id: str) -> str | None:
        """Return the address that hears posts about a channel account; None without `--public-url`."""
        return self._callback_url(channel_account_id)

    async def media(self, media_id: str, most_bytes: int) -> MediaFile | None:
        """Return an uploaded file; None if there is none, or if it has more bytes."""
        try:
            medium = await self._media.get(media_id)
        except (MediaNotFoundError, MediaRemovedError):
            return None
        if medium.size > most_bytes:
            return None
        async with self._media.opened(media_id) as file:
            content = await file.read(0, medium.size)
        return MediaFile(name=medium.name, content_type=medium.content_type, content=content)

    def now(self) -> datetime:
        """Return the time of the service's clock."""
        return self._clock.now()

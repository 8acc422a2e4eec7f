"""Receive providers' posts to `/callbacks/{channelAccountId}` (C-34, C-70)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from ....domain.accounts.api_key import UnauthorizedError
from ....domain.accounts.channel_account import ChannelAccountNotFoundError, channel_account_decider
from ...channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ...errors import UnavailableError
from ...journal import Journal
from ...ports.channels import ChannelProvider, Heard, Post
from ...ports.provider_observer import LeftOut
from .recording_reports import RecordingReports

# The seconds in which an adapter reads one post.
HEARING_SECONDS = 10.0


class UnsignedError(UnauthorizedError):
    """A post in a provider's name does not have its signature (C-34)."""

    def __init__(self) -> None:
        super().__init__(
            "The provider's signature is missing or wrong. Compare the channel account's config"
            " with what is set at the provider."
        )


class ReceivingProviderWebhooks:
    """Reads posts with the channel account's adapter, records all parts, and returns the answer."""

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
        recording: RecordingReports,
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._secrets = secrets
        self._recording = recording

    async def receive(self, channel_account_id: str, post: Post, request_id: str) -> Heard:
        """
        Record a provider's post, and return its answer once all parts are durable.

        A disabled channel account hears its provider, too. Raises `ChannelAccountNotFoundError`,
        `UnsignedError`, `ValidationFailedError` for a post that cannot be read, and `UnavailableError`.
        """
        # The stored state, and not one from the cache: a new secret counts from its PATCH on.
        account = await self._journal.find(channel_account_decider, channel_account_id)
        provider = None if account is None else self._providers.get(account.state.provider)
        if account is None or provider is None:
            raise ChannelAccountNotFoundError
        try:
            config = await self._secrets.config_of(channel_account_id, account.state)
        except ChannelSecretMissingError:
            # The provider repeats the post, perhaps to a node that has the key.
            raise UnavailableError from None
        try:
            async with asyncio.timeout(HEARING_SECONDS):
                heard = await provider.hear(config, post)
        except UnauthorizedError:
            raise UnsignedError from None
        except TimeoutError:
            raise UnavailableError from None
        if heard.unreadable:
            number = heard.unreadable
            self._recording.left_out(channel_account_id, LeftOut.UNREADABLE, number=number)
        await self._recording.record(channel_account_id, heard.reports, request_id)
        return heard

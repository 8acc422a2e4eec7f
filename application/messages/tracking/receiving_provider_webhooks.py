"""Receive providers' posts to `/callbacks/{channelAccountId}` (C-34)."""

from __future__ import annotations

from collections.abc import Mapping

from ....domain.accounts.api_key import UnauthorizedError
from ....domain.accounts.channel_account import ChannelAccountNotFoundError, channel_account_decider
from ...accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ...errors import UnavailableError
from ...journal import Journal
from ...ports.channels import ChannelProvider
from .recording_reports import RecordingReports


class UnsignedError(UnauthorizedError):
    """A post in a provider's name does not have its signature (C-34)."""

    def __init__(self) -> None:
        super().__init__(
            "The provider's signature is missing or wrong. Compare the channel account's config"
            " with what is set at the provider."
        )


class ReceivingProviderWebhooks:
    """Parses providers' posts with the channel account's adapter, and records all parts."""

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

    async def receive(
        self, channel_account_id: str, headers: Mapping[str, str], body: bytes, request_id: str
    ) -> None:
        """
        Record a provider's post.

        Raises `ChannelAccountNotFoundError`, `UnsignedError`, `ValidationFailedError` for a body
        that cannot be read, and the errors of `RecordingReports`.
        """
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
            lowered = {name.lower(): value for name, value in headers.items()}
            reports = provider.reports(config, lowered, body)
        except UnauthorizedError:
            raise UnsignedError from None
        await self._recording.record(channel_account_id, reports, request_id)

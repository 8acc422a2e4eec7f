"""The parts of the service that an open channel provider may use (C-70)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime

from ..domain.accounts.channel_account import (
    ChannelAccountNotFoundError,
    channel_account_decider,
)
from .accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from .journal import Journal
from .messages.tracking.recording_reports import RecordingReports
from .paging import MAX_PAGE_SIZE
from .ports.channels import ProviderAccount, Report
from .ports.clock import Clock
from .ports.listings import Equals, Query
from .ports.randomness import Randomness
from .records.channel_account import ChannelAccountRow

# Returns the public address that hears posts about a channel account, if there is one.
CallbackUrlOf = Callable[[str], str | None]


class ProviderContext:
    """The `Context` of one provider, which reaches the channel accounts of this provider only."""

    def __init__(
        self,
        provider: str,
        journal: Journal,
        secrets: ChannelSecrets,
        recording: RecordingReports,
        callback_url: CallbackUrlOf,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._provider = provider
        self._journal = journal
        self._secrets = secrets
        self._recording = recording
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
        Return the enabled channel accounts of this provider, with the secrets of their configs.

        Those whose secrets this node cannot open are left out. Raises `UnavailableError`.
        """
        found: list[ProviderAccount] = []
        for channel_account_id in await self._ids():
            account = (await self._journal.load(channel_account_decider, channel_account_id)).state
            if not account.enabled:
                continue
            with suppress(ChannelSecretMissingError):
                found.append(
                    ProviderAccount(
                        channel_account_id=channel_account_id,
                        channel=account.channel_type,
                        sender=account.sender,
                        config=await self._secrets.config_of(channel_account_id, account),
                    )
                )
        return found

    async def _ids(self) -> Sequence[str]:
        # Channel accounts are never removed, and a new one comes last: no page misses one.
        ids: list[str] = []
        page, is_full = 1, True
        while is_full:
            rows = await self._journal.slice(
                Query(
                    rows=ChannelAccountRow,
                    where=(Equals("provider", self._provider),),
                    descending=False,
                    page=page,
                    page_size=MAX_PAGE_SIZE,
                )
            )
            ids += [each.id for each in rows]
            page, is_full = page + 1, len(rows) == MAX_PAGE_SIZE
        return ids

    def callback_url(self, channel_account_id: str) -> str | None:
        """Return the address that hears posts about a channel account; None without `--public-url`."""
        return self._callback_url(channel_account_id)

    def now(self) -> datetime:
        """Return the time of the service's clock."""
        return self._clock.now()

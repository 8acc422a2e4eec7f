"""Find the channel accounts that submit the WhatsApp templates of their accounts (C-99, D-285)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence

from ....domain.channel import Channel
from ...journal import Journal
from ...ports.channels import ChannelProvider
from ...ports.listings import Equals, of_account
from ...ports.provider_observer import ProviderObserver
from ...records.channel_account import ChannelAccountRow


class SubmittingAccounts:
    """Finds enabled channel accounts whose provider takes templates, the oldest first."""

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        observers: Sequence[ProviderObserver] = (),
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._observers = observers

    async def first_of(self, account_id: str) -> str | None:
        """Return the oldest one of an account; None if it has none. Raises `UnavailableError`."""
        async for row in self.each(account_id):
            return row.id
        return None

    async def each(self, account_id: str | None = None) -> AsyncIterator[ChannelAccountRow]:
        """Yield those of an account, or of all; raises `UnavailableError`."""
        where = (*of_account(account_id), Equals("channel_type", str(Channel.WHATSAPP)))
        # Channel accounts are never removed.
        async for row in self._journal.every(ChannelAccountRow, *where):
            if row.enabled and self._submits(row):
                yield row

    def _submits(self, row: ChannelAccountRow) -> bool:
        provider = self._providers.get(row.provider)
        if provider is None:
            return False
        try:
            return provider.submits_templates(row.config) is True
        except Exception as error:
            # A template is created all the same, and an operator can have it submitted.
            for observer in self._observers:
                observer.adapter_failed(row.id, "submits_templates", error)
            return False

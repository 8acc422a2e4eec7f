"""Find the channel accounts that the reports of a post are addressed to (C-99, D-221)."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from ....domain.accounts.channel_account import ChannelAccount, channel_account_decider
from ...channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ...journal import Journal
from ...ports.channels import ChannelProvider, Report
from ...ports.listings import Equals
from ...records.channel_account import ChannelAccountRow
from .searching_addresses import AddressSearch

# The channel accounts of a provider that are looked through for one post, and those among them whose
# secrets are compared.
MOST_ACCOUNTS, MOST_COMPARED = 10_000, 1_000


class AddressedReports:
    """Hands the reports that concern other channel accounts to those accounts."""

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._secrets = secrets

    async def concerned(
        self, channel_account_id: str, reports: Sequence[Report]
    ) -> Sequence[Sequence[str]]:
        """
        Return the channel accounts that each report concerns, by one look through those of the provider.

        They have the members of `addressed_to` in the public part of their config: the account that was
        called, or another of the same provider with the same signing secret. A receipt and a message
        concern the first of them, and a decision on a template the first one of each account (D-281).
        Raises `UnavailableError`.
        """
        search = AddressSearch(reports)
        if not search.is_done():
            await self._find(channel_account_id, search)
        own = (channel_account_id,)
        return [search.concerned(each) if each.addressed_to else own for each in reports]

    async def _find(self, called_id: str, search: AddressSearch) -> None:
        called = (await self._journal.load(channel_account_decider, called_id)).state
        for each in search.needs(called.account_id, called.config):
            search.take(each, called.account_id, called_id)
        provider = self._providers.get(called.provider)
        setting = None if provider is None else provider.signing_setting
        if setting is None or search.is_done():
            return
        secret = await self._secret(called_id, called, setting)
        if secret is None:
            return
        looked_through = compared = 0
        async for row in self._journal.every(
            ChannelAccountRow, Equals("provider", called.provider)
        ):
            addresses = [*search.needs(row.account_id, row.config)]
            if addresses:
                compared += 1
                if await self._shares(row.id, setting, secret):
                    for each in addresses:
                        search.take(each, row.account_id, row.id)
            looked_through += 1
            if search.is_done() or looked_through == MOST_ACCOUNTS or compared == MOST_COMPARED:
                return

    async def _shares(self, channel_account_id: str, setting: str, secret: bytes) -> bool:
        account = (await self._journal.load(channel_account_decider, channel_account_id)).state
        own = await self._secret(channel_account_id, account, setting)
        return own is not None and hmac.compare_digest(own, secret)

    async def _secret(
        self, channel_account_id: str, account: ChannelAccount, setting: str
    ) -> bytes | None:
        """Return the signing secret of an account; None if it has none, or this node cannot open it."""
        value: Any = None
        with suppress(ChannelSecretMissingError):
            value = await self._secrets.config_of(channel_account_id, account)
            for name in setting.split("."):
                value = value.get(name) if isinstance(value, Mapping) else None
        return None if value is None else json.dumps(value, sort_keys=True).encode()

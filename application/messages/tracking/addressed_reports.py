"""Find the channel account that a report is addressed to (C-99, D-221)."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ....domain.accounts.channel_account import ChannelAccount, channel_account_decider
from ....domain.event import MASK
from ...channel_accounts.accounts_of_providers import accounts_of_provider
from ...channel_accounts.channel_secrets import ChannelSecretMissingError, ChannelSecrets
from ...journal import Journal
from ...ports.channels import ChannelProvider

# The channel accounts of a provider that are looked through for one post.
MOST_ACCOUNTS = 10_000


class AddressedReports:
    """Hands a report that concerns another channel account to that account."""

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        secrets: ChannelSecrets,
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._secrets = secrets

    async def account_for(
        self, channel_account_id: str, addressed_to: Mapping[str, str]
    ) -> str | None:
        """
        Return the channel account that has these members in the public part of its config.

        It is the account that was called, or another of the same provider with the same signing secret;
        None if there is none. Raises `UnavailableError`.
        """
        called = (await self._journal.load(channel_account_decider, channel_account_id)).state
        if _has(called.config, addressed_to):
            return channel_account_id
        provider = self._providers.get(called.provider)
        setting = None if provider is None else provider.signing_setting
        if setting is None:
            return None
        secret = await self._secret(channel_account_id, called, setting)
        looked_through = 0
        async for row in accounts_of_provider(self._journal, called.provider):
            if _has(row.config, addressed_to) and await self._shares(row.id, setting, secret):
                return row.id
            looked_through += 1
            if looked_through == MOST_ACCOUNTS:
                break
        return None

    async def _shares(self, channel_account_id: str, setting: str, secret: bytes | None) -> bool:
        account = (await self._journal.load(channel_account_decider, channel_account_id)).state
        own = await self._secret(channel_account_id, account, setting)
        return own is not None and secret is not None and hmac.compare_digest(own, secret)

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


def _has(config: Mapping[str, Any], members: Mapping[str, str]) -> bool:
    """Return whether a config shows all these members; a secret one counts as missing."""
    return all(config.get(name) == value != MASK for name, value in members.items())

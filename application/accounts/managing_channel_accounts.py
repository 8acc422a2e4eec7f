"""Manage channel accounts: create, list (C-35, C-63)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ...domain.accounts import channel_account
from ...domain.accounts.channel_account import (
    ChannelAccountCreated,
    ChannelAccountNotFoundError,
    channel_account_decider,
)
from ...domain.channel import ChannelName
from ...domain.decider import Decision
from ...domain.errors import FieldProblem, ValidationFailedError
from ..caller import Caller
from ..journal import Journal, beginning
from ..paging import Listed, Paging
from ..ports.channels import ChannelProvider
from ..ports.clock import Clock
from ..ports.listings import Equals, Query, of_account
from ..ports.randomness import Randomness
from ..records.channel_account import CHANNEL_ACCOUNT, ChannelAccountRow, channel_account_row
from .channel_secrets import ChannelSecrets
from .secret_settings import DividedConfig, divided
from .views import ChannelAccountView


class ManagingChannelAccounts:
    """
    Creates and finds an account's channel accounts at providers.

    `adapters` are the `providers` that are third-party channels (C-52).
    """

    def __init__(
        self,
        journal: Journal,
        providers: Mapping[str, ChannelProvider],
        adapters: Collection[str],
        secrets: ChannelSecrets,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._providers = providers
        self._adapters = adapters
        self._secrets = secrets
        self._randomness = randomness
        self._clock = clock

    async def create(
        self,
        by: Caller,
        *,
        channel_type: ChannelName,
        provider: str,
        name: str,
        sender: str | None = None,
        config: Mapping[str, Any],
    ) -> ChannelAccountView:
        """
        Create a channel account; its provider checks each member of the config.

        The secrets are sealed in the append of the event, which holds the rest (D-197).
        """
        now = self._clock.now()
        channel_account_id = self._randomness.new_id(CHANNEL_ACCOUNT.prefix)
        problems: list[FieldProblem] = []
        decision = Decision()
        checked = self._checked(provider, config, problems)
        try:
            decision = channel_account.create(
                channel_account_id,
                ChannelAccountCreated(
                    at=now,
                    account_id=by.account_id,
                    channel_type=channel_type,
                    provider=provider,
                    name=name,
                    sender=sender,
                    config=checked.shown,
                    sealed=bool(checked.secrets),
                ),
                self._adapters,
            )
        except ValidationFailedError as refusal:
            problems += refusal.problems
        if problems:
            raise ValidationFailedError(problems)
        made = beginning(channel_account_decider, channel_account_id, decision)
        keys = (self._secrets.seal(channel_account_id, checked.secrets),) if checked.secrets else ()
        await self._journal.write(by, now, made, keeping=keys)
        return ChannelAccountView.of(channel_account_row(channel_account_id, made.state))

    def _checked(
        self, provider: str, config: Mapping[str, Any], problems: list[FieldProblem]
    ) -> DividedConfig:
        """Return the config as its provider keeps it; add problems with the provider or the config."""
        adapter = self._providers.get(provider)
        if adapter is None:
            known = ", ".join(sorted(self._providers)) or "none"
            problems.append(
                FieldProblem("provider", f"is not a provider of this service; it has: {known}")
            )
            return DividedConfig()
        try:
            kept: object = adapter.check_config(config)
        except ValidationFailedError as refusal:
            problems += refusal.problems
            return DividedConfig()
        if not isinstance(kept, Mapping):
            # Without this check, the first send would fail.
            raise TypeError(
                f"check_config of the provider {provider!r} returned a {type(kept).__name__},"
                " and not the settings to keep."
            )
        checked = divided(kept, adapter.settings)
        problems += checked.masked()
        return checked

    async def get(self, channel_account_id: str) -> ChannelAccountView:
        """Return a channel account; raises `ChannelAccountNotFoundError`."""
        loaded = await self._journal.find(channel_account_decider, channel_account_id)
        if loaded is None:
            raise ChannelAccountNotFoundError
        return ChannelAccountView.of(channel_account_row(channel_account_id, loaded.state))

    async def list(
        self, account_id: str | None, paging: Paging, channel_type: ChannelName | None = None
    ) -> Listed[ChannelAccountView]:
        """List channel accounts, of one account or of all, the newest first."""
        where = of_account(account_id)
        if channel_type is not None:
            where = (*where, Equals("channel_type", str(channel_type)))
        query = Query(rows=ChannelAccountRow, where=where)
        return (await self._journal.listed(query, paging)).showing(ChannelAccountView.of)

    async def oldest(
        self,
        provider: str,
        *,
        account_id: str | None = None,
        channel_type: ChannelName | None = None,
        sender: str | None = None,
    ) -> ChannelAccountView | None:
        """Return the oldest channel account at a provider with all given properties, if there is one."""
        wanted = {"account_id": account_id, "channel_type": channel_type, "sender": sender}
        where = [
            Equals(column, str(value)) for column, value in wanted.items() if value is not None
        ]
        query = Query(
            rows=ChannelAccountRow,
            where=(Equals("provider", provider), *where),
            descending=False,
            page_size=1,
        )
        found = await self._journal.slice(query)
        return ChannelAccountView.of(found[0]) if found else None

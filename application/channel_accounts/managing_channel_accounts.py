"""Manage channel accounts: create, find, list (C-35, C-63, C-66)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...domain.accounts import channel_account
from ...domain.accounts.channel_account import (
    ChannelAccountCreated,
    ChannelAccountNotFoundError,
    ChannelLimits,
    PrefixPrice,
    channel_account_decider,
)
from ...domain.channel import ChannelName
from ...domain.errors import FieldProblem, ValidationFailedError
from ..caller import Caller
from ..journal import Journal, beginning, retry_on_conflict
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import Change
from ..ports.listings import Equals, Query, of_account
from ..ports.randomness import Randomness
from ..ports.sealer import SealKey
from ..records.channel_account import CHANNEL_ACCOUNT, ChannelAccountRow, channel_account_row
from ..repository import Repository
from .channel_secrets import ChannelSecrets
from .checking_configs import CheckingConfigs
from .failovers import ChannelFailovers
from .public_hosts import PublicHosts
from .showing_channel_accounts import ShowingChannelAccounts
from .views import ChannelAccountView, ProviderView

NO_LIMITS = ChannelLimits()


class ManagingChannelAccounts:
    """Creates and finds an account's channel accounts at providers."""

    def __init__(
        self,
        journal: Journal,
        configs: CheckingConfigs,
        hosts: PublicHosts,
        secrets: ChannelSecrets,
        showing: ShowingChannelAccounts,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._configs = configs
        self._hosts = hosts
        self._secrets = secrets
        self._showing = showing
        self._failovers = ChannelFailovers(journal)
        self._randomness = randomness
        self._clock = clock
        self._repository = Repository(
            journal, clock, channel_account_decider, ChannelAccountNotFoundError
        )

    async def create(
        self,
        by: Caller,
        *,
        channel_type: ChannelName,
        provider: str,
        name: str,
        sender: str | None = None,
        config: Mapping[str, Any],
        limits: ChannelLimits = NO_LIMITS,
        failover: tuple[str, ...] = (),
        failover_on_unknown: bool | None = None,
        prices: tuple[PrefixPrice, ...] = (),
    ) -> ChannelAccountView:
        """
        Create a channel account; its provider checks each member of the config.

        The secrets are sealed in the append of the event, which holds the rest (D-197). The view is
        the only one with the secret part of the callback's address.
        """
        await self._hosts.check(by, config)
        problems: list[FieldProblem] = []
        checked = self._configs.checked(provider, channel_type, config, problems)
        created = ChannelAccountCreated(
            at=self._clock.now(),
            account_id=by.account_id,
            channel_type=channel_type,
            provider=provider,
            name=name,
            sender=sender,
            config=checked.parts.shown,
            sealed=bool(checked.parts.secrets),
            limits=limits,
            failover=failover,
            failover_on_unknown=failover_on_unknown,
            prices=prices,
        )
        channel_account_id = self._randomness.new_id(CHANNEL_ACCOUNT.prefix)
        made = self._made(channel_account_id, created, problems)
        keys: tuple[SealKey, ...] = ()
        if made is not None and created.sealed:
            keys = (self._secrets.seal(channel_account_id, checked.parts.secrets),)

        async def attempt() -> Change:
            faults = [*problems]
            unchanged = await self._failovers.checked(by.account_id, channel_type, failover, faults)
            if faults or made is None:
                raise ValidationFailedError(faults)
            await self._journal.write(by, created.at, made, conditions=unchanged, keeping=keys)
            return made

        row = channel_account_row(channel_account_id, (await retry_on_conflict(attempt)).state)
        return self._showing.view(row, checked.query)

    def _made(
        self, channel_account_id: str, created: ChannelAccountCreated, problems: list[FieldProblem]
    ) -> Change | None:
        """Return the change that creates the account; None, with more problems, if it is refused."""
        try:
            decision = channel_account.create(channel_account_id, created, self._configs.adapters)
        except ValidationFailedError as refusal:
            known = {each.field for each in problems}
            problems += [each for each in refusal.problems if each.field not in known]
            return None
        return beginning(channel_account_decider, channel_account_id, decision)

    def providers(self) -> Sequence[ProviderView]:
        """Return the providers, with the settings that a channel account of each is asked for."""
        return self._configs.providers()

    async def get(self, by: Caller, channel_account_id: str) -> ChannelAccountView:
        """Return a channel account; raises `ChannelAccountNotFoundError`."""
        state = await self._repository.state(by, channel_account_id)
        return self._showing.view(channel_account_row(channel_account_id, state))

    async def list(
        self, account_id: str | None, paging: Paging, channel_type: ChannelName | None = None
    ) -> Listed[ChannelAccountView]:
        """List channel accounts, of one account or of all, the newest first."""
        where = of_account(account_id)
        if channel_type is not None:
            where = (*where, Equals("channel_type", str(channel_type)))
        query = Query(rows=ChannelAccountRow, where=where)
        return (await self._journal.listed(query, paging)).showing(self._showing.view)

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
        return self._showing.view(found[0]) if found else None

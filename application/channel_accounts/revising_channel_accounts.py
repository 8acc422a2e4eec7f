"""Change channel accounts: their settings, and whether they send (C-66)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from attrs import field, frozen

from ...domain.accounts import channel_account
from ...domain.accounts.channel_account import (
    ChannelAccount,
    ChannelAccountNotFoundError,
    channel_account_decider,
)
from ...domain.conditions import Unchanged
from ...domain.decider import Decision
from ...domain.errors import FieldProblem, ValidationFailedError
from ..caller import Caller
from ..journal import Journal, change, retry_on_conflict
from ..ports.clock import Clock
from ..ports.event_store import Change, HeldByOthers
from ..ports.sealer import SealKey
from ..records.channel_account import channel_account_row
from ..repository import Repository
from .channel_secrets import ChannelSecretMissingError, ChannelSecrets
from .checking_configs import CheckingConfigs
from .failovers import ChannelFailovers
from .patch import ChannelAccountPatch
from .public_hosts import PublicHosts
from .revising_configs import merged, misdirected, told_again
from .secret_settings import DividedConfig, SecretsMismatchError, joined
from .showing_channel_accounts import ShowingChannelAccounts
from .views import ChannelAccountView

_NAMED_BY_OTHERS = "must be empty, because another channel account names this one as its failover"


@frozen(kw_only=True)
class _Config:
    """The config after a change; `secrets` are set if they are to be sealed, `query` if it is new."""

    shown: Mapping[str, Any] = field(repr=False)
    sealed: bool
    secrets: Mapping[str, Any] | None = field(default=None, repr=False)
    query: str = field(default="", repr=False)


class RevisingChannelAccounts:
    """
    Changes the channel accounts of accounts.

    `changed` is called after each change, so that what this node remembers of channel accounts ends.
    """

    def __init__(
        self,
        journal: Journal,
        configs: CheckingConfigs,
        hosts: PublicHosts,
        secrets: ChannelSecrets,
        showing: ShowingChannelAccounts,
        changed: Callable[[], None],
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._configs = configs
        self._hosts = hosts
        self._secrets = secrets
        self._showing = showing
        self._changed = changed
        self._clock = clock
        self._failovers = ChannelFailovers(journal)
        self._repository = Repository(
            journal, clock, channel_account_decider, ChannelAccountNotFoundError
        )

    async def update(
        self, by: Caller, channel_account_id: str, patch: ChannelAccountPatch
    ) -> ChannelAccountView:
        """
        Change the given settings; the provider checks the whole config after the change.

        New secrets are sealed in the append of the event. Raises `ChannelAccountNotFoundError` and
        `ValidationFailedError`.
        """
        try:
            return await retry_on_conflict(lambda: self._update(by, channel_account_id, patch))
        finally:
            self._changed()

    async def enable(self, by: Caller, channel_account_id: str) -> ChannelAccountView:
        """Allow sends through a channel account again."""
        return await self._decide(by, channel_account_id, channel_account.enable)

    async def disable(self, by: Caller, channel_account_id: str) -> ChannelAccountView:
        """Stop sends through a channel account; it goes on hearing its provider."""
        return await self._decide(by, channel_account_id, channel_account.disable)

    async def _decide(
        self,
        by: Caller,
        channel_account_id: str,
        decide: Callable[[ChannelAccount, datetime], Decision],
    ) -> ChannelAccountView:
        try:
            state = await self._repository.decide(by, channel_account_id, decide)
        finally:
            self._changed()
        return self._showing.view(channel_account_row(channel_account_id, state))

    async def _update(
        self, by: Caller, channel_account_id: str, patch: ChannelAccountPatch
    ) -> ChannelAccountView:
        now = self._clock.now()
        loaded = await self._repository.load(by, channel_account_id)
        account = loaded.state
        problems = [*patch.problems(account)]
        config = await self._config(by, channel_account_id, account, patch, problems)
        unchanged = await self._failovers.checked(
            account.account_id, account.channel_type, patch.failover or (), problems
        )
        if problems:
            raise ValidationFailedError(problems)
        revised = patch.applied(
            account,
            now,
            config=config.shown,
            sealed=config.sealed,
            resealed=config.secrets is not None,
        )
        decision = channel_account.revise(account, channel_account_id, revised)
        after = change(channel_account_decider, channel_account_id, loaded, decision)
        if decision.events:
            await self._write(by, now, after, unchanged, config, was_sealed=account.sealed)
        return self._showing.view(
            channel_account_row(channel_account_id, after.state), config.query
        )

    async def _write(
        self,
        by: Caller,
        at: datetime,
        after: Change,
        unchanged: tuple[Unchanged, ...],
        config: _Config,
        *,
        was_sealed: bool,
    ) -> None:
        keeping: tuple[SealKey, ...] = ()
        if config.secrets is not None:
            number = after.state.sealings
            keeping = (self._secrets.seal(after.stream, config.secrets, number),)
        dropping = (after.stream,) if was_sealed and not config.sealed else ()
        try:
            await self._journal.write(
                by, at, after, conditions=unchanged, keeping=keeping, dropping=dropping
            )
        except HeldByOthers:
            raise ValidationFailedError([FieldProblem("failover[0]", _NAMED_BY_OTHERS)]) from None

    async def _config(
        self,
        by: Caller,
        channel_account_id: str,
        account: ChannelAccount,
        patch: ChannelAccountPatch,
        problems: list[FieldProblem],
    ) -> _Config:
        """Return the config after the change; add problems with the change."""
        if patch.config is None:
            return _Config(shown=account.config, sealed=account.sealed)
        before, held = await self._before(channel_account_id, account)
        wanted = merged(before, patch.config)
        await self._hosts.check(by, wanted, held)
        checked = self._configs.checked(account.provider, account.channel_type, wanted, problems)
        after = checked.parts
        problems += misdirected(
            before, patch.config, after, (held, checked.whole), checked.settings
        )
        resealed = after.secrets and (after.secrets != before.secrets or not account.sealed)
        told = checked.query != self._configs.query_of(account.provider, held)
        if told:
            problems += told_again(before, patch.config, after, checked.query)
        return _Config(
            shown=after.shown,
            sealed=bool(after.secrets),
            secrets=after.secrets if resealed else None,
            query=checked.query if told else "",
        )

    async def _before(
        self, channel_account_id: str, account: ChannelAccount
    ) -> tuple[DividedConfig, Mapping[str, Any]]:
        """Return the config before the change, and whole; secrets that do not open stay `***`."""
        if not account.sealed:
            # An account of the first release has its secrets in clear (D-198).
            return self._configs.divided(account.provider, account.config), account.config
        try:
            secrets = await self._secrets.secrets_of(channel_account_id, account)
            return DividedConfig(account.config, secrets), joined(account.config, secrets)
        except (ChannelSecretMissingError, SecretsMismatchError):
            return DividedConfig(account.config), account.config

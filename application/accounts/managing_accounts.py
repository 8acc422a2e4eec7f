"""Manage accounts: create, find, list, suspend and resume (C-35, C-95)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from attrs import frozen
from msgspec.structs import replace

from ...domain.accounts import account
from ...domain.accounts.account import Account, AccountNotFoundError, account_decider, account_name
from ...domain.accounts.account_limits import AccountLimits
from ...domain.decider import Decision
from ...domain.errors import DuplicateNameError
from ..caller import Caller
from ..journal import Journal, beginning
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.listings import Equals, Query
from ..ports.randomness import Randomness
from ..records.account import ACCOUNT, AccountRow, account_row
from ..repository import Repository
from .authenticating import Authenticating
from .views import AccountView


@frozen(kw_only=True)
class EffectiveLimits:
    """The limits in force for an account; None means no limit."""

    requests_per_second: int | None
    stored_bytes_per_day: int | None
    media_bytes: int

    @classmethod
    def of(cls, limits: AccountLimits) -> EffectiveLimits:
        """Return the limits in force where an operator has set these."""
        return cls(
            requests_per_second=limits.requests_per_second,
            stored_bytes_per_day=limits.stored_bytes_per_day,
            media_bytes=limits.most_media_bytes,
        )


class ManagingAccounts:
    """Creates accounts, finds them by id or name, and suspends them."""

    def __init__(
        self,
        journal: Journal,
        authenticating: Authenticating,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._authenticating = authenticating
        self._accounts = Repository(journal, clock, account_decider, AccountNotFoundError)
        self._randomness = randomness
        self._clock = clock

    async def create(self, by: Caller, name: str) -> AccountView:
        """Create an account; raises `DuplicateNameError` when the name is taken."""
        now = self._clock.now()
        account_id = self._randomness.new_id(ACCOUNT.prefix)
        decision = account.create(now, account_id, name)
        created = beginning(account_decider, account_id, decision)
        try:
            await self._journal.write(by, now, created)
        except HeldByOthers:
            raise DuplicateNameError(
                f"An account named {name} exists already. Use it, or take another name."
            ) from None
        return AccountView.of(account_row(account_id, created.state))

    async def get(self, by: Caller, id_or_name: str) -> AccountView:
        """Return an account by id or name; raises `AccountNotFoundError`."""
        account_id = await self.resolve(by, id_or_name)
        state = await self._accounts.state(by, account_id)
        return AccountView.of(account_row(account_id, state))

    async def list(self, by: Caller, paging: Paging) -> Listed[AccountView]:
        """List the accounts that the caller may see, the newest first."""
        own = () if by.bound_to is None else (Equals("id", by.bound_to),)
        query = Query(rows=AccountRow, where=own)
        return (await self._journal.listed(query, paging)).showing(AccountView.of)

    async def suspend(self, by: Caller, id_or_name: str) -> AccountView:
        """Suspend an account: every node refuses its calls within a second, until it is resumed."""
        return await self._decide(by, id_or_name, account.suspend)

    async def resume(self, by: Caller, id_or_name: str) -> AccountView:
        """End the suspension of an account."""
        return await self._decide(by, id_or_name, account.resume)

    async def limits(self, by: Caller, id_or_name: str) -> EffectiveLimits:
        """Return the limits in force for an account; raises `AccountNotFoundError`."""
        state = await self._accounts.state(by, await self.resolve(by, id_or_name))
        return EffectiveLimits.of(state.limits)

    async def set_limits(
        self, by: Caller, id_or_name: str, limits: AccountLimits
    ) -> EffectiveLimits:
        """Set all limits of an account; every node applies them within a second (C-94)."""
        account_id = await self.resolve(by, id_or_name)
        decided = await self._accounts.decide(
            by, account_id, lambda state, at: account.set_limits(state, at, limits)
        )
        self._authenticating.forget()
        return EffectiveLimits.of(decided.limits)

    async def calling(self, by: Caller, id_or_name: str) -> Caller:
        """Return a caller for an account that is not suspended, or raise `AccountSuspendedError`."""
        account_id = await self.resolve(by, id_or_name)
        state = await self._accounts.state(by, account_id)
        state.require_active()
        return replace(
            by,
            account_id=account_id,
            stored_bytes_per_day=state.limits.stored_bytes_per_day,
        )

    async def resolve(self, by: Caller, id_or_name: str) -> str:
        """
        Return an account's id; raises `AccountNotFoundError`.

        A caller that is bound to an account finds no other (C-84).
        """
        if await self._journal.find(account_decider, id_or_name) is not None:
            account_id: str | None = id_or_name
        else:
            account_id = await self._journal.holder(account_name(id_or_name))
        if account_id is None or not by.sees(account_id):
            raise AccountNotFoundError
        return account_id

    async def _decide(
        self, by: Caller, id_or_name: str, decide: Callable[[Account, datetime], Decision]
    ) -> AccountView:
        account_id = await self.resolve(by, id_or_name)
        decided = await self._accounts.decide(by, account_id, decide)
        self._authenticating.forget()
        return AccountView.of(account_row(account_id, decided))

"""Manage legacy users: create, list, revoke their tokens, remove (C-35, D-100)."""

from __future__ import annotations

from ...domain.errors import DuplicateNameError
from ...domain.legacy import legacy_user
from ...domain.legacy.legacy_user import (
    LegacyUserCreated,
    LegacyUserNotFoundError,
    legacy_user_decider,
)
from ..caller import Caller
from ..journal import Journal, beginning
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.listings import Missing, Query, of_account
from ..ports.password_hasher import PasswordHasher
from ..ports.randomness import Randomness
from ..records.legacy_user import LEGACY_USER, LegacyUserRow, legacy_user_row
from ..repository import Repository
from .views import LegacyUserView


class ManagingLegacyUsers:
    """Creates and removes the users who may log in to the legacy platform for an account."""

    def __init__(
        self, journal: Journal, hasher: PasswordHasher, randomness: Randomness, clock: Clock
    ) -> None:
        self._journal = journal
        self._hasher = hasher
        self._randomness = randomness
        self._clock = clock
        self._repository = Repository(journal, clock, legacy_user_decider, LegacyUserNotFoundError)

    async def create(self, by: Caller, *, email: str, password: str) -> LegacyUserView:
        """
        Create a user of the caller's account.

        Raises `DuplicateNameError` when a user of any account has the e-mail.
        """
        password_hash = await self._hasher.hash(password)
        now = self._clock.now()
        user_id = self._randomness.new_id(LEGACY_USER.prefix)
        created = LegacyUserCreated(
            at=now, account_id=by.account_id, email=email, password_hash=password_hash
        )
        decision = legacy_user.create(created, user_id)
        made = beginning(legacy_user_decider, user_id, decision)
        try:
            await self._journal.write(by, now, made)
        except HeldByOthers:
            raise DuplicateNameError(
                "Somebody logs in with this e-mail already. Remove that user first."
            ) from None
        return LegacyUserView.of(legacy_user_row(user_id, made.state))

    async def get(self, by: Caller, user_id: str) -> LegacyUserView:
        """Return a user, even a removed one; raises `LegacyUserNotFoundError`."""
        user = await self._repository.state(by, user_id)
        return LegacyUserView.of(legacy_user_row(user_id, user))

    async def list(self, account_id: str | None, paging: Paging) -> Listed[LegacyUserView]:
        """List the users who may log in now, of one account or of all, the newest first."""
        where = (*of_account(account_id), Missing("removed_at"))
        query = Query(rows=LegacyUserRow, where=where)
        return (await self._journal.listed(query, paging)).showing(LegacyUserView.of)

    async def revoke_tokens(self, by: Caller, user_id: str) -> LegacyUserView:
        """Revoke all tokens of a user, on all nodes at once; raises `LegacyUserNotFoundError`."""
        user = await self._repository.decide(by, user_id, legacy_user.revoke_tokens)
        return LegacyUserView.of(legacy_user_row(user_id, user))

    async def remove(self, by: Caller, user_id: str) -> LegacyUserView:
        """Remove a user and all tokens; raises `LegacyUserNotFoundError`."""
        removed = await self._repository.decide(
            by, user_id, lambda user, at: legacy_user.remove(user, user_id, at)
        )
        return LegacyUserView.of(legacy_user_row(user_id, removed))

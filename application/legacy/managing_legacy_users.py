"""Legacy users: create, list, revoke their tokens, remove (C-35, D-100)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ...domain import legacy_user
from ...domain.decider import Decision
from ...domain.errors import DuplicateNameError
from ...domain.legacy_user import (
    LegacyUser,
    LegacyUserCreated,
    LegacyUserNotFoundError,
    legacy_user_decider,
)
from ..caller import Caller
from ..journal import Journal, beginning, change, settled
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.listings import Equals, Filter, Missing, Query
from ..ports.password_hasher import PasswordHasher
from ..ports.randomness import Randomness
from ..read_models.project import legacy_user_row
from ..read_models.rows import LegacyUserRow


class ManagingLegacyUsers:
    """Keeps who may log in to the legacy platform, and for which account."""

    def __init__(
        self, journal: Journal, hasher: PasswordHasher, randomness: Randomness, clock: Clock
    ) -> None:
        self._journal = journal
        self._hasher = hasher
        self._randomness = randomness
        self._clock = clock

    async def create(self, by: Caller, *, email: str, password: str) -> LegacyUserRow:
        """
        Create a user of the caller's account.

        Raises `DuplicateNameError` when somebody has the e-mail already, in whatever account.
        """
        password_hash = await self._hasher.hash(password)
        now = self._clock.now()
        user_id = self._randomness.new_id("lgu")
        created = LegacyUserCreated(
            at=now, account_id=by.account_id, email=email, password_hash=password_hash
        )
        decision = legacy_user.create(created, user_id)
        made = beginning(legacy_user_decider, user_id, decision)
        try:
            await self._journal.write(by, now, made, conditions=decision.conditions)
        except HeldByOthers:
            raise DuplicateNameError(
                "Somebody logs in with this e-mail already. Remove that user first."
            ) from None
        return legacy_user_row(user_id, made.state)

    async def get(self, user_id: str) -> LegacyUserRow:
        """Give a user, a removed one too; raises `LegacyUserNotFoundError`."""
        loaded = await self._journal.load(legacy_user_decider, user_id)
        if not loaded.version:
            raise LegacyUserNotFoundError
        return legacy_user_row(user_id, loaded.state)

    async def list(self, account_id: str | None, paging: Paging) -> Listed[LegacyUserRow]:
        """List who may log in now, of one account or of all, the newest first."""
        where: tuple[Filter, ...] = (Missing("removed_at"),)
        if account_id is not None:
            where = (Equals("account_id", account_id), *where)
        return await self._journal.listed(Query(rows=LegacyUserRow, where=where), paging)

    async def revoke_tokens(self, by: Caller, user_id: str) -> LegacyUserRow:
        """Make all tokens of a user void, on all nodes at once; raises `LegacyUserNotFoundError`."""
        return await self._decided(by, user_id, legacy_user.revoke_tokens)

    async def remove(self, by: Caller, user_id: str) -> LegacyUserRow:
        """Remove a user, with all tokens; raises `LegacyUserNotFoundError`."""
        return await self._decided(
            by, user_id, lambda user, at: legacy_user.remove(user, user_id, at)
        )

    async def _decided(
        self, by: Caller, user_id: str, decide: Callable[[LegacyUser, datetime], Decision]
    ) -> LegacyUserRow:
        async def attempt() -> LegacyUserRow:
            now = self._clock.now()
            loaded = await self._journal.load(legacy_user_decider, user_id)
            if not loaded.version:
                raise LegacyUserNotFoundError
            decision = decide(loaded.state, now)
            decided = change(legacy_user_decider, user_id, loaded, decision)
            if decision.events:
                await self._journal.write(by, now, decided, conditions=decision.conditions)
            return legacy_user_row(user_id, decided.state)

        return await settled(attempt)

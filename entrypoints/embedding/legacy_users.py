"""Legacy users for embedders."""

from __future__ import annotations

from ...application.legacy.views import LegacyUserView
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ..wire.structuring import structure
from ..wire.typed_requests import NewLegacyUser
from .leasing import Facade
from .references import Reference, account_filter, acting_for, documented, embedder, id_of


class LegacyUsers(Facade):
    """Users of the legacy platform (C-35, C-42)."""

    async def create(self, account: Reference, email: str, password: str) -> LegacyUserView:
        """Create a user of an account; the e-mail is unique in the whole store."""
        body = structure(documented(email=email, password=password), NewLegacyUser)
        return await self._parts.legacy_users.create(
            await acting_for(self._parts, account), email=body.email, password=body.password
        )

    async def get(self, legacy_user: Reference) -> LegacyUserView:
        """Return a user; raise `LegacyUserNotFoundError`."""
        return await self._parts.legacy_users.get(embedder(self._parts, ""), id_of(legacy_user))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[LegacyUserView]:
        """List the users who may log in, the newest first."""
        account_id = await account_filter(self._parts, account)
        return await self._parts.legacy_users.list(account_id, Paging.clamped(page, page_size))

    async def revoke_tokens(self, legacy_user: Reference) -> LegacyUserView:
        """Revoke all tokens of a user; raise `LegacyUserNotFoundError`."""
        return await self._parts.legacy_users.revoke_tokens(
            embedder(self._parts, ""), id_of(legacy_user)
        )

    async def remove(self, legacy_user: Reference) -> LegacyUserView:
        """Remove a user and all tokens; raise `LegacyUserNotFoundError`."""
        return await self._parts.legacy_users.remove(embedder(self._parts, ""), id_of(legacy_user))

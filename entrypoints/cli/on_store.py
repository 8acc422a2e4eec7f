"""Management on a store that no other process uses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeVar

from ...application.caller import ADMIN, Caller
from ...application.managing_api_keys import NewApiKey
from ...application.paging import MAX_PAGE_SIZE, Listed, Paging
from ...application.read_models.rows import AccountRow, ApiKeyRow
from ...domain.api_key import Scope
from ..bootstrap import Wired

T = TypeVar("T")


class ManagementOnStore:
    """Calls the use cases as the operator."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    async def create_account(self, name: str) -> AccountRow:
        """Create an account."""
        return await self._service.accounts.create(self._by(), name)

    async def accounts(self) -> Sequence[AccountRow]:
        """Give all accounts."""
        return await _all(self._service.accounts.list)

    async def create_key(
        self,
        account: str,
        name: str,
        scopes: Sequence[Scope] | None,
        expires_at: datetime | None,
    ) -> NewApiKey:
        """Make an API key."""
        return await self._service.api_keys.create(
            self._by(await self._service.accounts.resolve(account)),
            name,
            scopes=None if scopes is None else tuple(scopes),
            expires_at=expires_at,
        )

    async def keys(self, account: str | None) -> Sequence[ApiKeyRow]:
        """Give all keys."""
        resolved = None if account is None else await self._service.accounts.resolve(account)
        return await _all(lambda paging: self._service.api_keys.list(resolved, paging))

    async def revoke_key(self, key_id: str) -> ApiKeyRow:
        """Take a key back."""
        return await self._service.api_keys.revoke(self._by(), key_id)

    def _by(self, account_id: str = "") -> Caller:
        return Caller(account_id, ADMIN, self._service.randomness.new_id("req"))


async def _all(listing: Callable[[Paging], Awaitable[Listed[T]]]) -> list[T]:
    found: list[T] = []
    page, pages = 1, 1
    while page <= pages:
        listed = await listing(Paging(page=page, page_size=MAX_PAGE_SIZE))
        found += listed.data
        page, pages = page + 1, listed.total_pages
    return found

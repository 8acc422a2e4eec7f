"""What the commands ask of a service, wherever it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from ...application.managing_api_keys import NewApiKey
from ...application.read_models.rows import AccountRow, ApiKeyRow
from ...domain.api_key import Scope

Record = Mapping[str, Any]


class Management(Protocol):
    """Accounts and API keys; every call may raise `DomainError` or `RemoteRefusal`."""

    async def create_account(self, name: str) -> AccountRow:
        """Create an account."""
        ...

    async def accounts(self) -> Sequence[AccountRow]:
        """Give all accounts, the newest first."""
        ...

    async def create_key(
        self,
        account: str,
        name: str,
        scopes: Sequence[Scope] | None,
        expires_at: datetime | None,
    ) -> NewApiKey:
        """Make an API key for an account, by id or name; with all scopes by default."""
        ...

    async def keys(self, account: str | None) -> Sequence[ApiKeyRow]:
        """Give all keys, of one account or of every one, the newest first."""
        ...

    async def revoke_key(self, key_id: str) -> ApiKeyRow:
        """Take a key back."""
        ...

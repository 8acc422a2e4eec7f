"""Operators' tokens for embedders, who also serve HTTP or the console on the same store."""

from __future__ import annotations

from datetime import datetime

from ...application.operators.managing_tokens import NewOperatorToken
from ...application.operators.views import OperatorTokenView
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ..wire.operator_tokens import NewToken
from ..wire.structuring import structure
from .leasing import Facade
from .references import Reference, account_filter, documented, embedder, id_of


class Tokens(Facade):
    """Operators' tokens, each with a role, for all accounts or for one (C-84)."""

    async def create(
        self,
        name: str,
        *,
        role: str,
        account: Reference | None = None,
        clear: bool = False,
        expires_at: datetime | None = None,
    ) -> NewOperatorToken:
        """
        Create a token with the role `auditor`, `operator` or `admin`; only this result shows it.

        Without an `account` it is for all accounts. With `clear` an auditor sees numbers unmasked. Raises
        `AccountNotFoundError` and `ValidationFailedError`.
        """
        given = documented(name=name, role=role, clear=clear, expires_at=expires_at)
        body = structure(given, NewToken)
        return await self._parts.operator_tokens.create(
            embedder(self._parts, ""),
            body.name,
            role=body.role,
            account_id=await account_filter(self._parts, account),
            clear=body.clear,
            expires_at=body.expires_at,
        )

    async def get(self, token: Reference) -> OperatorTokenView:
        """Return a token's record; raise `OperatorTokenNotFoundError`."""
        return await self._parts.operator_tokens.get(embedder(self._parts, ""), id_of(token))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[OperatorTokenView]:
        """List tokens, the newest first; those bound to an account if one is named."""
        account_id = await account_filter(self._parts, account)
        return await self._parts.operator_tokens.list(account_id, Paging.clamped(page, page_size))

    async def revoke(self, token: Reference) -> OperatorTokenView:
        """Revoke a token, whose next request is refused; raise `OperatorTokenNotFoundError`."""
        return await self._parts.operator_tokens.revoke(embedder(self._parts, ""), id_of(token))

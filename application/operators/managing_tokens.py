"""Manage operators' tokens: create, list, revoke (C-84)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ...domain.accounts import operator_token
from ...domain.accounts.api_key import ForbiddenError
from ...domain.accounts.operator_token import (
    OperatorTokenCreated,
    OperatorTokenNotFoundError,
    operator_token_decider,
)
from ...domain.accounts.token_role import TokenRole
from ...domain.event import secret
from ..accounts.authenticating import hash_of
from ..caller import Caller
from ..journal import Journal, beginning
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.listings import Query, of_account
from ..ports.randomness import Randomness
from ..records.operator_token import OPERATOR_TOKEN, OperatorTokenRow, operator_token_row
from ..repository import Repository
from .authenticating_operators import TOKEN_PREFIX
from .views import OperatorTokenView

_PREFIX_LENGTH = len(TOKEN_PREFIX) + 6


@frozen(kw_only=True)
class NewOperatorToken:
    """A new token. `token` is returned once and never stored."""

    record: OperatorTokenView
    token: str = secret()


class ManagingTokens:
    """Creates and revokes the tokens of operators, for all accounts or for one."""

    def __init__(self, journal: Journal, randomness: Randomness, clock: Clock) -> None:
        self._journal = journal
        self._randomness = randomness
        self._clock = clock
        self._repository = Repository(
            journal, clock, operator_token_decider, OperatorTokenNotFoundError
        )

    async def create(
        self,
        by: Caller,
        name: str,
        *,
        role: TokenRole,
        account_id: str | None = None,
        clear: bool = False,
        expires_at: datetime | None = None,
    ) -> NewOperatorToken:
        """
        Create a token, for all accounts or for one; with `clear` an auditor sees numbers unmasked.

        Raises `ForbiddenError` for a caller who is bound to an account: no token makes a wider one (D-482).
        """
        if by.bound_to is not None:
            raise ForbiddenError("A token that is bound to an account makes no tokens.")
        now = self._clock.now()
        token_id = self._randomness.new_id(OPERATOR_TOKEN.prefix)
        text = f"{TOKEN_PREFIX}{self._randomness.new_token()}"
        created = OperatorTokenCreated(
            at=now,
            name=name,
            role=role,
            account_id=account_id,
            clear=clear,
            prefix=text[:_PREFIX_LENGTH],
            token_hash=hash_of(text),
            expires_at=expires_at,
        )
        made = beginning(operator_token_decider, token_id, operator_token.create(created, token_id))
        await self._journal.write(by, now, made)
        view = OperatorTokenView.of(operator_token_row(token_id, made.state))
        return NewOperatorToken(record=view, token=text)

    async def get(self, by: Caller, token_id: str) -> OperatorTokenView:
        """Return a token's record; raises `OperatorTokenNotFoundError`."""
        token = await self._repository.state(by, token_id)
        return OperatorTokenView.of(operator_token_row(token_id, token))

    async def list(self, account_id: str | None, paging: Paging) -> Listed[OperatorTokenView]:
        """List tokens, those bound to an account or all, the newest first; never the tokens themselves."""
        query = Query(rows=OperatorTokenRow, where=of_account(account_id))
        return (await self._journal.listed(query, paging)).showing(OperatorTokenView.of)

    async def revoke(self, by: Caller, token_id: str) -> OperatorTokenView:
        """Revoke a token; its next request is refused. Raises `OperatorTokenNotFoundError`."""
        revoked = await self._repository.decide(
            by, token_id, lambda token, at: operator_token.revoke(token, token_id, at)
        )
        return OperatorTokenView.of(operator_token_row(token_id, revoked))

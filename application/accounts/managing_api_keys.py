"""Manage API keys: create, list, revoke (C-6, C-35)."""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

from ...domain.accounts import api_key
from ...domain.accounts.api_key import (
    ApiKeyCreated,
    ApiKeyNotFoundError,
    Scope,
    api_key_decider,
)
from ...domain.errors import DuplicateNameError
from ...domain.event import secret
from ..caller import Caller
from ..journal import Journal, beginning
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.listings import Query, of_account
from ..ports.randomness import Randomness
from ..records.api_key import API_KEY, ApiKeyRow, api_key_row
from ..repository import Repository
from .authenticating import Authenticating, hash_of
from .views import ApiKeyView

_PREFIX_LENGTH = 9


@frozen(kw_only=True)
class NewApiKey:
    """A new key. `key` is returned once and never stored."""

    record: ApiKeyView
    key: str = secret()


class ManagingApiKeys:
    """Creates and revokes the API keys of accounts."""

    def __init__(
        self,
        journal: Journal,
        authenticating: Authenticating,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._authenticating = authenticating
        self._randomness = randomness
        self._clock = clock
        self._repository = Repository(journal, clock, api_key_decider, ApiKeyNotFoundError)

    async def create(
        self,
        by: Caller,
        name: str,
        *,
        scopes: tuple[Scope, ...] | None = None,
        template_auto_match: bool = False,
        expires_at: datetime | None = None,
        key: str | None = None,
    ) -> NewApiKey:
        """Create a key for the caller's account, by default with all scopes; only a sandbox passes `key`."""
        now = self._clock.now()
        key_id = self._randomness.new_id(API_KEY.prefix)
        text = key or self._randomness.new_key()
        created = ApiKeyCreated(
            at=now,
            account_id=by.account_id,
            name=name,
            prefix=text[:_PREFIX_LENGTH],
            key_hash=hash_of(text),
            scopes=tuple(Scope) if scopes is None else scopes,
            template_auto_match=template_auto_match,
            expires_at=expires_at,
        )
        decision = api_key.create(created, key_id)
        made = beginning(api_key_decider, key_id, decision)
        try:
            await self._journal.write(by, now, made)
        except HeldByOthers:
            raise DuplicateNameError("This API key exists already.") from None
        return NewApiKey(record=ApiKeyView.of(api_key_row(key_id, made.state)), key=text)

    async def get(self, by: Caller, key_id: str) -> ApiKeyView:
        """Return a key's record; raises `ApiKeyNotFoundError`."""
        return ApiKeyView.of(api_key_row(key_id, await self._repository.state(by, key_id)))

    async def list(self, account_id: str | None, paging: Paging) -> Listed[ApiKeyView]:
        """List keys, of one account or of all, the newest first; never the keys themselves."""
        query = Query(rows=ApiKeyRow, where=of_account(account_id))
        return (await self._journal.listed(query, paging)).showing(ApiKeyView.of)

    async def revoke(self, by: Caller, key_id: str) -> ApiKeyView:
        """Revoke a key, at once on this node; raises `ApiKeyNotFoundError`."""
        revoked = await self._repository.decide(
            by, key_id, lambda key, at: api_key.revoke(key, key_id, at)
        )
        self._authenticating.forget()
        return ApiKeyView.of(api_key_row(key_id, revoked))

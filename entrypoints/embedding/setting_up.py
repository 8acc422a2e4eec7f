"""Accounts, API keys and fallback configurations for embedders."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ...application.accounts.managing_accounts import EffectiveLimits
from ...application.accounts.managing_api_keys import NewApiKey
from ...application.accounts.views import (
    AccountView,
    ApiKeyView,
    FallbackConfigurationView,
)
from ...application.paging import DEFAULT_PAGE_SIZE, Listed, Paging
from ...domain.accounts.account_limits import AccountLimits
from ...domain.rate_limit import Duration
from ...domain.retention import Retention
from ..wire.structuring import structure
from ..wire.typed_requests import (
    NewAccount,
    NewFallbackConfiguration,
    NewKey,
)
from .leasing import Facade
from .references import (
    Reference,
    account_filter,
    acting_for,
    documented,
    embedder,
    id_of,
)


class Accounts(Facade):
    """Accounts, to which everything else belongs."""

    async def create(self, name: str) -> AccountView:
        """Create an account; raise `DuplicateNameError` if the name is taken."""
        return await self._parts.accounts.create(
            embedder(self._parts, ""), structure({"name": name}, NewAccount).name
        )

    async def get(self, account: Reference) -> AccountView:
        """Return an account by id or name; raise `AccountNotFoundError`."""
        return await self._parts.accounts.get(embedder(self._parts, ""), id_of(account, "account"))

    async def list(self, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE) -> Listed[AccountView]:
        """List accounts, the newest first."""
        return await self._parts.accounts.list(
            embedder(self._parts, ""), Paging.clamped(page, page_size)
        )

    async def suspend(self, account: Reference) -> AccountView:
        """
        Refuse all calls for an account, by its keys or embedded, until it is resumed (C-95).

        Raises `AccountNotFoundError`.
        """
        return await self._parts.accounts.suspend(
            embedder(self._parts, ""), id_of(account, "account")
        )

    async def resume(self, account: Reference) -> AccountView:
        """Allow calls for an account again; raise `AccountNotFoundError`."""
        return await self._parts.accounts.resume(
            embedder(self._parts, ""), id_of(account, "account")
        )

    async def limits(self, account: Reference) -> EffectiveLimits:
        """Return the limits that hold for an account; raise `AccountNotFoundError`."""
        return await self._parts.accounts.limits(
            embedder(self._parts, ""), id_of(account, "account")
        )

    async def set_limits(
        self,
        account: Reference,
        *,
        requests_per_second: int | None = None,
        stored_bytes_per_day: int | None = None,
        media_bytes: int | None = None,
    ) -> EffectiveLimits:
        """
        Set all limits of an account (C-94); without a value there is no limit, and for media 1 GiB.

        Embedded calls do not count towards `requests_per_second`. Raises `AccountNotFoundError` and
        `ValidationFailedError`.
        """
        wanted = structure(
            documented(
                requests_per_second=requests_per_second,
                stored_bytes_per_day=stored_bytes_per_day,
                media_bytes=media_bytes,
            ),
            AccountLimits,
        )
        by = embedder(self._parts, "")
        return await self._parts.accounts.set_limits(by, id_of(account, "account"), wanted)

    async def retention(self, account: Reference) -> Retention:
        """Return for how long an account keeps what ended; raise `AccountNotFoundError`."""
        return await self._parts.retention.get(embedder(self._parts, ""), id_of(account, "account"))

    async def set_retention(
        self,
        account: Reference,
        *,
        pins: Duration | str | None = None,
        messages: Duration | str | None = None,
        events: Duration | str | None = None,
    ) -> Retention:
        """
        Set for how long an account keeps what ended (C-75), such as `30d`; None is for ever.

        Raises `AccountNotFoundError` and `ValidationFailedError`.
        """
        given = {"pins": pins, "messages": messages, "events": events}
        texts = {name: None if each is None else str(each) for name, each in given.items()}
        by = embedder(self._parts, "")
        return await self._parts.retention.set(
            by, id_of(account, "account"), structure(documented(**texts), Retention)
        )


class ApiKeys(Facade):
    """API keys, for services that also serve HTTP on the same store."""

    async def create(
        self,
        account: Reference,
        name: str,
        *,
        scopes: Sequence[str] | None = None,
        template_auto_match: bool = False,
        expires_at: datetime | None = None,
    ) -> NewApiKey:
        """Create a key; only this result shows it. Without `scopes` it has all rights of its account."""
        given = documented(
            name=name,
            scopes=scopes,
            template_auto_match=template_auto_match,
            expires_at=expires_at,
        )
        body = structure(given, NewKey)
        return await self._parts.api_keys.create(
            await acting_for(self._parts, account),
            body.name,
            scopes=body.scopes,
            template_auto_match=body.template_auto_match,
            expires_at=body.expires_at,
        )

    async def get(self, key: Reference) -> ApiKeyView:
        """Return a key's record; raise `ApiKeyNotFoundError`."""
        return await self._parts.api_keys.get(embedder(self._parts, ""), id_of(key))

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[ApiKeyView]:
        """List keys, the newest first."""
        account_id = await account_filter(self._parts, account)
        return await self._parts.api_keys.list(account_id, Paging.clamped(page, page_size))

    async def revoke(self, key: Reference) -> ApiKeyView:
        """Revoke a key; raise `ApiKeyNotFoundError`."""
        return await self._parts.api_keys.revoke(embedder(self._parts, ""), id_of(key))


class FallbackConfigurations(Facade):
    """The channels of fallbacks, by the id that a send names."""

    async def create(
        self, account: Reference, fallback_id: str, steps: Sequence[str]
    ) -> FallbackConfigurationView:
        """Create a configuration; a step is a channel, or the name of one of your adapters."""
        body = structure(
            documented(fallback_id=fallback_id, steps=list(steps)), NewFallbackConfiguration
        )
        return await self._parts.fallback_configurations.create(
            await acting_for(self._parts, account),
            fallback_id=body.fallback_id,
            steps=body.channels,
        )

    async def get(self, configuration: Reference) -> FallbackConfigurationView:
        """Return a configuration by its id; raise `FallbackConfigurationNotFoundError`."""
        return await self._parts.fallback_configurations.get(
            embedder(self._parts, ""), id_of(configuration)
        )

    async def list(
        self, account: Reference | None = None, page: int = 1, page_size: int = DEFAULT_PAGE_SIZE
    ) -> Listed[FallbackConfigurationView]:
        """List configurations, the newest first."""
        account_id = await account_filter(self._parts, account)
        paging = Paging.clamped(page, page_size)
        return await self._parts.fallback_configurations.list(account_id, paging)

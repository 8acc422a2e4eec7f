"""Manage fallback configurations: create, list (C-35, C-52)."""

from __future__ import annotations

from collections.abc import Collection

from ...domain.accounts import fallback_configuration
from ...domain.accounts.fallback_configuration import (
    FallbackConfigurationCreated,
    FallbackConfigurationNotFoundError,
    fallback_configuration_decider,
)
from ...domain.errors import DuplicateNameError
from ..caller import Caller
from ..journal import Journal, beginning
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.listings import Query, of_account
from ..ports.randomness import Randomness
from ..records.fallback_configuration import (
    FALLBACK_CONFIGURATION,
    FallbackConfigurationRow,
    fallback_configuration_row,
)
from ..repository import Repository
from .views import FallbackConfigurationView


class ManagingFallbackConfigurations:
    """
    Creates and finds the fallback configurations of accounts.

    `adapters` are the names of the third-party adapters that this service has.
    """

    def __init__(
        self, journal: Journal, adapters: Collection[str], randomness: Randomness, clock: Clock
    ) -> None:
        self._journal = journal
        self._adapters = adapters
        self._repository = Repository(
            journal, clock, fallback_configuration_decider, FallbackConfigurationNotFoundError
        )
        self._randomness = randomness
        self._clock = clock

    async def create(
        self, by: Caller, *, fallback_id: str, steps: tuple[str, ...]
    ) -> FallbackConfigurationView:
        """Create a configuration; raises `DuplicateNameError` when its `fallback_id` is taken."""
        now = self._clock.now()
        configuration_id = self._randomness.new_id(FALLBACK_CONFIGURATION.prefix)
        created = FallbackConfigurationCreated(
            at=now, account_id=by.account_id, fallback_id=fallback_id, steps=steps
        )
        decision = fallback_configuration.create(configuration_id, created, self._adapters)
        made = beginning(fallback_configuration_decider, configuration_id, decision)
        try:
            await self._journal.write(by, now, made)
        except HeldByOthers:
            raise DuplicateNameError(
                f"The account has a fallback configuration {fallback_id} already."
                " Use it, or take another fallback_id."
            ) from None
        return FallbackConfigurationView.of(
            fallback_configuration_row(configuration_id, made.state)
        )

    async def get(self, by: Caller, configuration_id: str) -> FallbackConfigurationView:
        """Return a configuration; raises `FallbackConfigurationNotFoundError`."""
        state = await self._repository.state(by, configuration_id)
        return FallbackConfigurationView.of(fallback_configuration_row(configuration_id, state))

    async def list(
        self, account_id: str | None, paging: Paging
    ) -> Listed[FallbackConfigurationView]:
        """List configurations, of one account or of all, the newest first."""
        query = Query(rows=FallbackConfigurationRow, where=of_account(account_id))
        return (await self._journal.listed(query, paging)).showing(FallbackConfigurationView.of)

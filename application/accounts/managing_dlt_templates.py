"""Manage DLT templates: register, list, remove (C-30, C-35)."""

from __future__ import annotations

from ...domain.dlt import template as dlt_template
from ...domain.dlt.template import (
    DltTemplateNotFoundError,
    DltTemplateRegistered,
    dlt_template_decider,
)
from ...domain.errors import DuplicateNameError
from ..caller import Caller
from ..journal import Journal, beginning
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.listings import Missing, Query, of_account
from ..ports.randomness import Randomness
from ..records.dlt_template import DLT_TEMPLATE, DltTemplateRow, dlt_template_row
from ..repository import Repository
from .views import DltTemplateView


class ManagingDltTemplates:
    """Registers and removes the texts that accounts have with DLT operators."""

    def __init__(self, journal: Journal, randomness: Randomness, clock: Clock) -> None:
        self._journal = journal
        self._randomness = randomness
        self._clock = clock
        self._repository = Repository(
            journal, clock, dlt_template_decider, DltTemplateNotFoundError
        )

    async def create(
        self, by: Caller, *, template_id: str, entity_id: str, text: str
    ) -> DltTemplateView:
        """Register a template; raises `DuplicateNameError` when its `template_id` is taken."""
        now = self._clock.now()
        record_id = self._randomness.new_id(DLT_TEMPLATE.prefix)
        registered = DltTemplateRegistered(
            at=now,
            account_id=by.account_id,
            template_id=template_id,
            entity_id=entity_id,
            text=text,
        )
        decision = dlt_template.register(record_id, registered)
        made = beginning(dlt_template_decider, record_id, decision)
        try:
            await self._journal.write(by, now, made)
        except HeldByOthers:
            raise DuplicateNameError(
                f"The account has a DLT template {template_id} already."
                " Remove that one first, if its text has changed."
            ) from None
        return DltTemplateView.of(dlt_template_row(record_id, made.state))

    async def get(self, by: Caller, record_id: str) -> DltTemplateView:
        """Return a template, even a removed one; raises `DltTemplateNotFoundError`."""
        return DltTemplateView.of(
            dlt_template_row(record_id, await self._repository.state(by, record_id))
        )

    async def list(self, account_id: str | None, paging: Paging) -> Listed[DltTemplateView]:
        """List the templates that are registered now, of one account or of all, the newest first."""
        where = (*of_account(account_id), Missing("removed_at"))
        query = Query(rows=DltTemplateRow, where=where)
        return (await self._journal.listed(query, paging)).showing(DltTemplateView.of)

    async def remove(self, by: Caller, record_id: str) -> DltTemplateView:
        """Remove a template, so that no later text matches it; raises `DltTemplateNotFoundError`."""
        removed = await self._repository.decide(
            by,
            record_id,
            lambda template, at: dlt_template.remove(template, record_id, at),
        )
        return DltTemplateView.of(dlt_template_row(record_id, removed))

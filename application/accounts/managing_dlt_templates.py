"""DLT templates: register, list, remove (C-30, C-35)."""

from __future__ import annotations

from ...domain import dlt_template
from ...domain.dlt_template import (
    DltTemplateNotFoundError,
    DltTemplateRegistered,
    dlt_template_decider,
)
from ...domain.errors import DuplicateNameError
from ..caller import Caller
from ..journal import Journal, beginning, change, settled
from ..paging import Listed, Paging
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.listings import Equals, Filter, Missing, Query
from ..ports.randomness import Randomness
from ..read_models.project import dlt_template_row
from ..read_models.rows import DltTemplateRow


class ManagingDltTemplates:
    """Keeps the texts that accounts have registered with their DLT operators."""

    def __init__(self, journal: Journal, randomness: Randomness, clock: Clock) -> None:
        self._journal = journal
        self._randomness = randomness
        self._clock = clock

    async def create(
        self, by: Caller, *, template_id: str, entity_id: str, text: str
    ) -> DltTemplateRow:
        """Register a template; raises `DuplicateNameError` when its `template_id` is taken."""
        now = self._clock.now()
        record_id = self._randomness.new_id("dlt")
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
            await self._journal.write(by, now, made, conditions=decision.conditions)
        except HeldByOthers:
            raise DuplicateNameError(
                f"The account has a DLT template {template_id} already."
                " Remove that one first, if its text has changed."
            ) from None
        return dlt_template_row(record_id, made.state)

    async def get(self, record_id: str) -> DltTemplateRow:
        """Give a template, a removed one too; raises `DltTemplateNotFoundError`."""
        loaded = await self._journal.load(dlt_template_decider, record_id)
        if not loaded.version:
            raise DltTemplateNotFoundError
        return dlt_template_row(record_id, loaded.state)

    async def list(self, account_id: str | None, paging: Paging) -> Listed[DltTemplateRow]:
        """List what is registered now, of one account or of all, the newest first."""
        where: tuple[Filter, ...] = (Missing("removed_at"),)
        if account_id is not None:
            where = (Equals("account_id", account_id), *where)
        return await self._journal.listed(Query(rows=DltTemplateRow, where=where), paging)

    async def remove(self, by: Caller, record_id: str) -> DltTemplateRow:
        """Remove a template: no later text is matched with it; raises `DltTemplateNotFoundError`."""

        async def attempt() -> DltTemplateRow:
            now = self._clock.now()
            loaded = await self._journal.load(dlt_template_decider, record_id)
            if not loaded.version:
                raise DltTemplateNotFoundError
            decision = dlt_template.remove(loaded.state, record_id, now)
            removed = change(dlt_template_decider, record_id, loaded, decision)
            if decision.events:
                await self._journal.write(by, now, removed, conditions=decision.conditions)
            return dlt_template_row(record_id, removed.state)

        return await settled(attempt)

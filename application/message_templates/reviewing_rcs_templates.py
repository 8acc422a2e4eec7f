"""The approval of RCS templates: submitted, approved, rejected, by an operator (C-36, C-55)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from ...domain import rcs_template
from ...domain.approval import Review
from ...domain.channel import Channel
from ...domain.decider import Decision
from ...domain.rcs_template import RcsTemplate, SubmitRcsTemplate, rcs_template_decider
from ..caller import Caller
from ..journal import Journal, change, settled
from ..ports.clock import Clock
from ..ports.event_store import Loaded
from .finding_templates import NamedTemplateNotFoundError
from .rcs_template_record import RcsTemplateRecord, rcs_template_record


class ReviewingRcsTemplates:
    """Moves templates towards their approval, or away from it; raises `NamedTemplateNotFoundError`."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    async def get(self, template_id: str) -> RcsTemplateRecord:
        """Give a template."""
        return rcs_template_record(template_id, (await self._loaded(template_id)).state)

    async def submit(self, by: Caller, template_id: str) -> RcsTemplateRecord:
        """Put a draft up for approval."""
        return await self._decided(
            by, template_id, lambda state, at: rcs_template.submit(state, SubmitRcsTemplate(at=at))
        )

    async def approve(
        self, by: Caller, template_id: str, reason: str | None = None
    ) -> RcsTemplateRecord:
        """Allow sends under a template; raises `TemplateNotSubmittedError` for a draft."""
        return await self._decided(
            by,
            template_id,
            lambda state, at: rcs_template.approve(state, Review(at=at, reason=reason)),
        )

    async def reject(
        self, by: Caller, template_id: str, reason: str | None = None
    ) -> RcsTemplateRecord:
        """Forbid sends under a template; raises `TemplateNotSubmittedError` for a draft."""
        return await self._decided(
            by,
            template_id,
            lambda state, at: rcs_template.reject(state, Review(at=at, reason=reason)),
        )

    async def _decided(
        self, by: Caller, template_id: str, decide: Callable[[RcsTemplate, datetime], Decision]
    ) -> RcsTemplateRecord:
        async def attempt() -> RcsTemplateRecord:
            now = self._clock.now()
            loaded = await self._loaded(template_id)
            decision = decide(loaded.state, now)
            changed = change(rcs_template_decider, template_id, loaded, decision)
            if decision.events:
                await self._journal.write(by, now, changed)
            return rcs_template_record(template_id, changed.state)

        return await settled(attempt)

    async def _loaded(self, template_id: str) -> Loaded[RcsTemplate]:
        loaded = await self._journal.load(rcs_template_decider, template_id)
        if not loaded.version:
            raise NamedTemplateNotFoundError(Channel.RCS, template_id)
        return loaded

"""Review templates as an operator: submit, approve, reject (C-36, C-55)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Generic, TypeVar

from ...domain import rcs_template
from ...domain.approval import Review
from ...domain.decider import Decision
from ...domain.rcs_template import RcsTemplate, SubmitRcsTemplate
from ...domain.template_filling import MessageTemplateNotFoundError
from ..caller import Caller
from ..journal import Journal
from ..ports.clock import Clock
from ..repository import Repository
from .template_kinds import RCS_TEMPLATES, TemplateKind
from .views import RcsTemplateView

S = TypeVar("S")
R = TypeVar("R")


class ReviewingTemplates(Generic[S, R]):
    """Records reviews of templates; raises `MessageTemplateNotFoundError`."""

    def __init__(self, journal: Journal, clock: Clock, kind: TemplateKind[S, R]) -> None:
        self._journal = journal
        self._clock = clock
        self._kind = kind

    async def approve(
        self, by: Caller, template_id: str, reason: str | None = None, *, by_provider: bool = False
    ) -> R:
        """Allow sends under a template; raises `TemplateNotSubmittedError` for a draft."""
        return await self._reviewed(by, template_id, self._kind.approve, reason, by_provider)

    async def reject(
        self, by: Caller, template_id: str, reason: str | None = None, *, by_provider: bool = False
    ) -> R:
        """Forbid sends under a template; raises `TemplateNotSubmittedError` for a draft."""
        return await self._reviewed(by, template_id, self._kind.reject, reason, by_provider)

    async def _reviewed(
        self,
        by: Caller,
        template_id: str,
        decide: Callable[[S, Review], Decision],
        reason: str | None,
        by_provider: bool,
    ) -> R:
        def reviewed(state: S, at: datetime) -> Decision:
            return decide(state, Review(at=at, reason=reason, by_provider=by_provider))

        return await self._decided(by, template_id, reviewed)

    async def _decided(
        self, by: Caller, template_id: str, decide: Callable[[S, datetime], Decision]
    ) -> R:
        kind = self._kind
        missing = partial(MessageTemplateNotFoundError, kind.channel, template_id)
        templates = Repository(self._journal, self._clock, kind.decider, missing)
        return kind.view(template_id, await templates.decide(by, template_id, decide))


class ReviewingRcsTemplates(ReviewingTemplates[RcsTemplate, RcsTemplateView]):
    """Reviews RCS templates, and submits drafts."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        super().__init__(journal, clock, RCS_TEMPLATES)

    async def submit(self, by: Caller, template_id: str) -> RcsTemplateView:
        """Submit a draft or a rejected template for approval."""
        return await self._decided(
            by, template_id, lambda state, at: rcs_template.submit(state, SubmitRcsTemplate(at=at))
        )

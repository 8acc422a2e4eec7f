"""Have templates submitted: new ones at once, others when an operator says so (C-99, D-285)."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from ....domain.channel import Channel
from ....domain.errors import DomainError
from ....domain.template_filling import MessageTemplateNotFoundError
from ....domain.whatsapp_template import (
    WhatsappSubmissionRequested,
    request_submission,
    whatsapp_template_decider,
)
from ...caller import Caller
from ...journal import Journal, change, retry_on_conflict
from ...ports.clock import Clock
from ...ports.event_store import Due, DueKind
from ...repository import find_visible
from ..views import WhatsappTemplateView
from .submitting_accounts import SubmittingAccounts


class TemplateNotSubmittableError(DomainError):
    """The account has no enabled channel account that submits WhatsApp templates (C-99)."""

    code = "template_not_submittable"

    def __init__(self) -> None:
        super().__init__(
            "The account has no enabled WhatsApp channel account that submits templates. Give one its"
            " business account, or approve the template yourself."
        )


def due_submission(template_id: str, at: datetime) -> Due:
    """Return the due row of an attempt to submit a template."""
    return Due(DueKind.TEMPLATE_SUBMISSION, template_id, 1, at)


class RequestingSubmissions:
    """Requests the submission of templates that are there already."""

    def __init__(self, journal: Journal, accounts: SubmittingAccounts, clock: Clock) -> None:
        self._journal = journal
        self._accounts = accounts
        self._clock = clock

    async def submit(self, by: Caller, template_id: str) -> WhatsappTemplateView:
        """
        Have a template submitted at once, through the account's oldest channel account that submits.

        Nothing happens while an attempt is under way, nor if that channel account has submitted it.
        Raises `MessageTemplateNotFoundError` and `TemplateNotSubmittableError`.
        """
        return await retry_on_conflict(partial(self._request, by, template_id))

    async def _request(self, by: Caller, template_id: str) -> WhatsappTemplateView:
        now = self._clock.now()
        loaded = await find_visible(self._journal, by, whatsapp_template_decider, template_id)
        if loaded is None:
            raise MessageTemplateNotFoundError(Channel.WHATSAPP, template_id)
        channel_account_id = await self._accounts.first_of(loaded.state.account_id)
        if channel_account_id is None:
            raise TemplateNotSubmittableError
        decision = request_submission(
            loaded.state, WhatsappSubmissionRequested(at=now, channel_account_id=channel_account_id)
        )
        after = change(whatsapp_template_decider, template_id, loaded, decision)
        if decision.events:
            acting = by.acting_for(loaded.state.account_id)
            due = due_submission(template_id, now)
            await self._journal.write(acting, now, after, due=(due,))
        return WhatsappTemplateView.of(template_id, after.state)

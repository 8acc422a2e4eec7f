"""Receive a provider's decision on a template, without an operator (C-34, C-36)."""

from __future__ import annotations

from typing import Any

from ...domain.accounts.channel_account import channel_account_decider
from ...domain.approval import MAX_REASON
from ...domain.channel import Channel
from ...domain.template_filling import MessageTemplateNotFoundError
from ..caller import Caller
from ..journal import Journal
from ..ports.channels import TemplateReview
from ..ports.randomness import Randomness
from .finding_templates import FindingTemplates
from .reviewing_templates import ReviewingRcsTemplates, ReviewingTemplates


class ReceivingReviews:
    """Approves and rejects templates of the channel account's account, on its channel alone."""

    def __init__(
        self,
        journal: Journal,
        finding: FindingTemplates,
        rcs: ReviewingRcsTemplates,
        whatsapp: ReviewingTemplates[Any, Any],
        randomness: Randomness,
    ) -> None:
        self._journal = journal
        self._finding = finding
        self._reviewing = {str(Channel.RCS): rcs, str(Channel.WHATSAPP): whatsapp}
        self._randomness = randomness

    async def receive(
        self, channel_account_id: str, review: TemplateReview, request_id: str | None = None
    ) -> None:
        """
        Record a review in the channel account's name; a repeated one changes nothing.

        The review of an unknown template is ignored, because its provider would repeat a refused
        one for ever (D-94). Raises `TemplateNotSubmittedError` for a draft, `ValidationFailedError`
        if the name fits several templates, and `UnavailableError`.
        """
        account = (await self._journal.load(channel_account_decider, channel_account_id)).state
        reviewing = self._reviewing.get(str(account.channel_type))
        if reviewing is None:
            return
        by = Caller(
            account.account_id, channel_account_id, request_id or self._randomness.new_id("req")
        )
        try:
            template_id = await self._named(account.account_id, account.channel_type, review)
        except MessageTemplateNotFoundError:
            return
        decide = reviewing.approve if review.approved else reviewing.reject
        reason = review.reason and review.reason[:MAX_REASON]
        await decide(by, template_id, reason, by_provider=True)

    async def _named(self, account_id: str, channel: str, review: TemplateReview) -> str:
        if channel == Channel.RCS:
            return await self._finding.rcs_template(account_id, review.name, review.sender_profile)
        return await self._finding.whatsapp_template(account_id, review.name, review.language)

"""Prepare a triggered step of a fallback run, and check whether it can be sent (C-21, C-52)."""

from __future__ import annotations

from attrs import field, frozen

from ....domain.accounts.account import AccountSuspendedError, account_decider
from ....domain.conditions import Unchanged
from ....domain.consent import RECIPIENT_OPTED_OUT
from ....domain.destination import INVALID_RECIPIENT, number_problem
from ....domain.event import ERASED, MASK
from ....domain.fallback_run import FallbackRun
from ....domain.guard import DESTINATION_NOT_ALLOWED
from ....domain.message import Content, SmsContent
from ....domain.person import PERSON_ERASED
from ....domain.template_filling import (
    MessageTemplate,
    MessageTemplateNotFoundError,
    is_approved,
)
from ...guard.guarding_recipients import GuardedSend, GuardingRecipients
from ...journal import Journal
from ...people.people import People
from ...ports.sealer import SealBrokenError
from ..opt_lists.consents import Consents
from ..planning.choosing_channel_accounts import ChoosingChannelAccounts
from ..planning.templates_of_sends import TemplatesOfSends, to_be_hidden
from ..taking_in.sealed_contents import SealedContents


class StepRefusedError(Exception):
    """
    A step cannot be sent as it was ordered; its run, status and history show the `code`.

    `conditions` must still hold when the refusal is recorded. `guarded` refused its recipient, if it did.
    """

    def __init__(
        self,
        code: str,
        conditions: tuple[Unchanged, ...] = (),
        guarded: GuardedSend | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.conditions = conditions
        self.guarded = guarded


@frozen(kw_only=True)
class PreparedStep:
    """
    The content of a step; `guarded` judged its recipient.

    `conditions` are the guard, and the consent read for the recipient (D-72).
    """

    channel_account_id: str
    content: Content = field(repr=False)
    template: MessageTemplate | None
    carries_code: bool
    conditions: tuple[Unchanged, ...]
    guarded: GuardedSend


class PreparingSteps:
    """Opens a step's content, and looks up its template and channel account."""

    def __init__(
        self,
        journal: Journal,
        sealed: SealedContents,
        choosing: ChoosingChannelAccounts,
        templates: TemplatesOfSends,
        consents: Consents,
        people: People,
        guarding: GuardingRecipients,
    ) -> None:
        self._journal = journal
        self._sealed = sealed
        self._choosing = choosing
        self._templates = templates
        self._consents = consents
        self._people = people
        self._guarding = guarding

    async def prepare(self, run_id: str, run: FallbackRun, number: int) -> PreparedStep:
        """
        Return the content of step `number`; raises `StepRefusedError`.

        Its codes: `account_suspended` (D-135), `person_erased` (C-74), `invalid_recipient` (C-89),
        `destination_not_allowed` (C-77), `invalid_type` (C-21), `template_not_found`,
        `template_not_approved` (C-52), `channel_not_configured`, `recipient_opted_out` (C-48), and
        `content_unavailable` for a seal that does not open. Raises `SealKeyMissingError` on a node that
        lacks the recipient's code key.
        """
        account = (await self._journal.load(account_decider, run.account_id)).state
        if account.suspended_at is not None:
            raise StepRefusedError(AccountSuspendedError.code)
        planned = run.steps[number - 1].planned
        if planned.recipient in (ERASED, MASK) and not await self._people.readable(
            (planned.person_id,)
        ):
            raise StepRefusedError(PERSON_ERASED)
        if number_problem(planned.recipient) is not None:
            raise StepRefusedError(INVALID_RECIPIENT)
        guarded = await self._guarding.of(run.account_id)
        if guarded.refuses(planned.channel, planned.recipient, planned.person_id):
            raise StepRefusedError(DESTINATION_NOT_ALLOWED, (guarded.unchanged,), guarded)
        try:
            content = await self._sealed.content_of(run_id, number, planned)
        except SealBrokenError:
            raise StepRefusedError("content_unavailable") from None
        if isinstance(content, SmsContent) and not content.type_is_valid:
            raise StepRefusedError("invalid_type")
        try:
            template = await self._templates.of_content(run.account_id, planned.sender, content)
        except MessageTemplateNotFoundError as unknown:
            raise StepRefusedError(unknown.code) from None
        if template is not None and not is_approved(template):
            raise StepRefusedError("template_not_approved")
        channel_account_id = await self._choosing.choose(
            run.account_id, planned.channel, planned.sender
        )
        if channel_account_id is None:
            raise StepRefusedError("channel_not_configured")
        standings = await self._consents.for_sends(
            run.account_id, ((planned.channel, planned.recipient),)
        )
        conditions = (guarded.unchanged, *[each.unchanged for each in standings.values()])
        if any(each.opted_out for each in standings.values()):
            raise StepRefusedError(RECIPIENT_OPTED_OUT, conditions)
        return PreparedStep(
            channel_account_id=channel_account_id,
            content=content,
            template=template,
            # A sealed content stays hidden, even if its template has changed since.
            carries_code=planned.sealed is not None or to_be_hidden(content, template),
            conditions=conditions,
            guarded=guarded,
        )

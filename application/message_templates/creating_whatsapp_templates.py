"""Create WhatsApp templates and submit them for approval (SPEC 4 C, C-26)."""

from __future__ import annotations

from ...domain import whatsapp_template
from ...domain.errors import DuplicateNameError, FormProblem, ValidationFailedError
from ...domain.media import media_decider
from ...domain.whatsapp_template import (
    CreateWhatsappTemplate,
    TemplateDefinition,
    WhatsappSubmissionRequested,
    header_examples,
    request_submission,
    whatsapp_template_decider,
)
from ..caller import Caller
from ..journal import Journal, beginning
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.randomness import Randomness
from ..records import is_id_of
from ..records.whatsapp_template import WHATSAPP_TEMPLATE
from .submitting.requesting_submissions import due_submission
from .submitting.submitting_accounts import SubmittingAccounts
from .views import WhatsappTemplateView


class CreatingWhatsappTemplates:
    """Creates templates, and has them submitted if a channel account of their account does so."""

    def __init__(
        self,
        journal: Journal,
        submitting: SubmittingAccounts,
        randomness: Randomness,
        clock: Clock,
    ) -> None:
        self._journal = journal
        self._submitting = submitting
        self._randomness = randomness
        self._clock = clock

    async def create(self, by: Caller, definition: TemplateDefinition) -> WhatsappTemplateView:
        """
        Create a template of the caller's account.

        Raises `ValidationFailedError` with all violations, and `DuplicateNameError` if the account
        has a template with this name in this language.
        """
        now = self._clock.now()
        template_id = self._randomness.new_id(WHATSAPP_TEMPLATE.prefix)
        command = CreateWhatsappTemplate(at=now, account_id=by.account_id, definition=definition)
        decision = whatsapp_template.create(template_id, command)
        await self._check_media(by, definition)
        created = beginning(whatsapp_template_decider, template_id, decision)
        submit_through = await self._submitting.first_of(by.account_id)
        if submit_through is not None:
            requested = WhatsappSubmissionRequested(at=now, channel_account_id=submit_through)
            decision = decision.followed_by(request_submission(created.state, requested))
            created = beginning(whatsapp_template_decider, template_id, decision)
        due = () if submit_through is None else (due_submission(template_id, now),)
        try:
            await self._journal.write(by, now, created, bounded=True, due=due)
        except HeldByOthers:
            raise DuplicateNameError(
                f"The account has a template {definition.name} in {definition.language} already."
                " Take another name."
            ) from None
        return WhatsappTemplateView.of(template_id, created.state)

    async def _check_media(self, by: Caller, definition: TemplateDefinition) -> None:
        """Raise `ValidationFailedError` if an example is an id of ours without a medium (D-92)."""
        for path, handle in header_examples(definition.content).items():
            if is_id_of(media_decider, handle):
                medium = await self._journal.find(media_decider, handle)
                if medium is None or not medium.state.is_hosted_for(by.account_id):
                    raise ValidationFailedError(
                        [FormProblem(path, "must be the id of a medium that the account uploaded")]
                    )

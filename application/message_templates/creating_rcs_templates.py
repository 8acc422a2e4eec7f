"""Creating an RCS template (SPEC 4 A1, C-24)."""

from __future__ import annotations

from ...domain import rcs_template
from ...domain.errors import DuplicateNameError
from ...domain.rcs_template import CreateRcsTemplate, TemplateDefinition, rcs_template_decider
from ..caller import Caller
from ..journal import Journal, beginning
from ..ports.clock import Clock
from ..ports.event_store import HeldByOthers
from ..ports.randomness import Randomness
from .rcs_template_record import RcsTemplateRecord, rcs_template_record


class CreatingRcsTemplates:
    """Takes templates in, as drafts or put up for approval."""

    def __init__(self, journal: Journal, randomness: Randomness, clock: Clock) -> None:
        self._journal = journal
        self._randomness = randomness
        self._clock = clock

    async def create(
        self,
        by: Caller,
        *,
        sender_profile: str,
        message_type: str,
        update_by: str,
        definition: TemplateDefinition,
    ) -> RcsTemplateRecord:
        """
        Create a template of the caller's account.

        Raises `ValidationFailedError` naming every violation, `DuplicateNameError` where the sender
        profile has a template of this name.
        """
        now = self._clock.now()
        template_id = self._randomness.new_id("rct")
        decision = rcs_template.create(
            template_id,
            CreateRcsTemplate(
                at=now,
                account_id=by.account_id,
                sender_profile=sender_profile,
                message_type=message_type,
                update_by=update_by,
                definition=definition,
            ),
        )
        created = beginning(rcs_template_decider, template_id, decision)
        try:
            await self._journal.write(by, now, created, conditions=decision.conditions)
        except HeldByOthers:
            raise DuplicateNameError(
                f"The sender profile has a template {definition.name} already. Take another name."
            ) from None
        return rcs_template_record(template_id, created.state)

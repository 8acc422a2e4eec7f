"""Create RCS templates (SPEC 4 A1, C-24)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import datetime

from attrs import field, frozen

from ...domain import rcs_template
from ...domain.errors import DuplicateNameError
from ...domain.rcs_template import (
    CreateRcsTemplate,
    HostedFile,
    TemplateDefinition,
    UploadedFile,
    rcs_template_decider,
)
from ..caller import Caller
from ..journal import Journal, beginning
from ..media.receiving_media import ReceivedFile, Upload
from ..ports.clock import Clock
from ..ports.event_store import Change, HeldByOthers
from ..ports.randomness import Randomness
from ..records.rcs_template import RCS_TEMPLATE
from .views import RcsTemplateView


@frozen
class TemplateFiles:
    """The files received with a template, by the names that its author gave them."""

    upload: Upload
    by_name: Mapping[str, ReceivedFile] = field(repr=False)


class CreatingRcsTemplates:
    """Creates templates, as drafts or submitted for approval."""

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
        files: TemplateFiles | None = None,
    ) -> RcsTemplateView:
        """
        Create a template of the caller's account, and keep its files in the same append.

        Raises `ValidationFailedError` with all violations, and `DuplicateNameError` if the sender
        profile has a template with this name.
        """
        now = self._clock.now()
        template_id = self._randomness.new_id(RCS_TEMPLATE.prefix)
        received = files.by_name if files is not None else {}
        decision = rcs_template.create(
            template_id,
            CreateRcsTemplate(
                at=now,
                account_id=by.account_id,
                sender_profile=sender_profile,
                message_type=message_type,
                update_by=update_by,
                definition=definition,
                files=tuple(
                    UploadedFile(name=name, content_type=each.content_type)
                    for name, each in received.items()
                ),
                hosted=tuple(
                    HostedFile(name=name, media_id=each.id) for name, each in received.items()
                ),
            ),
        )
        created = beginning(rcs_template_decider, template_id, decision)
        try:
            async with _kept(now, files) as kept:
                counted = await files.upload.counted(self._journal, kept) if files else ()
                await self._journal.write(by, now, created, *counted, bounded=True)
        except HeldByOthers:
            raise DuplicateNameError(
                f"The sender profile has a template {definition.name} already. Take another name."
            ) from None
        return RcsTemplateView.of(template_id, created.state)


def _kept(
    now: datetime, files: TemplateFiles | None
) -> AbstractAsyncContextManager[Sequence[Change]]:
    if files is None:
        return nullcontext(())
    return files.upload.keeping(now, *files.by_name.values())

"""Find a template by its name or its id (C-36, C-62)."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain import rcs_template, whatsapp_template
from ...domain.approval import ApprovalStatus
from ...domain.channel import Channel
from ...domain.errors import MOST_PROBLEMS, FieldProblem, ValidationFailedError
from ...domain.template_filling import MessageTemplateNotFoundError
from ...domain.whatsapp_template import WhatsappTemplate, whatsapp_template_decider
from ..journal import Journal
from ..ports.listings import Equals, Query
from ..records.message_template import MessageTemplateRow

# Each sender profile or language has one template of a name.
_MOST_NAMESAKES = 100


class FindingTemplates:
    """Finds one template of an account; raises `MessageTemplateNotFoundError` if there is none."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def rcs_template(
        self, account_id: str, name: str, sender_profile: str | None = None
    ) -> str:
        """
        Return the id of an RCS template.

        Raises `ValidationFailedError` with the sender profiles if several have a template of this
        name and none is given.
        """
        if sender_profile is not None:
            subject = rcs_template.template_name(account_id, sender_profile, name)
            return await self._held(Channel.RCS, name, subject)
        rows = await self._named(account_id, Channel.RCS, name)
        return _the_only(rows, "sender_profile", [str(row.sender_profile) for row in rows])

    async def whatsapp_template(
        self, account_id: str, name: str, language: str | None = None
    ) -> str:
        """
        Return the id of a WhatsApp template.

        Raises `ValidationFailedError` with the languages if there are several and none is given.
        """
        if language is not None:
            subject = whatsapp_template.template_name(account_id, name, language)
            return await self._held(Channel.WHATSAPP, name, subject)
        rows = await self._named(account_id, Channel.WHATSAPP, name)
        return _the_only(rows, "language", [str(row.language) for row in rows])

    async def whatsapp_template_in_any_language(
        self, account_id: str, id_or_name: str
    ) -> WhatsappTemplate:
        """Return the template with an id; of a name, the oldest approved one, or the oldest (D-103)."""
        found = await self._journal.find(whatsapp_template_decider, id_or_name)
        if found is not None and found.state.account_id == account_id:
            return found.state
        rows = await self._named(account_id, Channel.WHATSAPP, id_or_name)
        approved = [row for row in rows if row.status == ApprovalStatus.APPROVED]
        return (await self._journal.load(whatsapp_template_decider, (approved or rows)[0].id)).state

    async def _held(self, channel: Channel, name: str, subject: str) -> str:
        template_id = await self._journal.holder(subject)
        if template_id is None:
            raise MessageTemplateNotFoundError(channel, name, narrowed=True)
        return template_id

    async def _named(
        self, account_id: str, channel: Channel, name: str
    ) -> Sequence[MessageTemplateRow]:
        """Return all templates with a name, the oldest first; raises if there is none."""
        query = Query(
            rows=MessageTemplateRow,
            where=(
                Equals("account_id", account_id),
                Equals("channel", str(channel)),
                Equals("name", name),
            ),
            descending=False,
            page_size=_MOST_NAMESAKES,
        )
        rows = await self._journal.slice(query)
        if not rows:
            raise MessageTemplateNotFoundError(channel, name)
        return rows


def _the_only(rows: Sequence[MessageTemplateRow], field: str, choices: Sequence[str]) -> str:
    """Return the only template with a name; raises if there are several, which `field` distinguishes."""
    if len(rows) > 1:
        some = ", ".join(sorted(choices)[:MOST_PROBLEMS])
        said = f"is required, as there are several templates of this name: {some}"
        raise ValidationFailedError([FieldProblem(field, said)])
    return rows[0].id

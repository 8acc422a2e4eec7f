"""Finding the template that an operator means by its name (C-36)."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain import rcs_template, whatsapp_template
from ...domain.channel import Channel
from ...domain.errors import MOST_PROBLEMS, FieldProblem, NotFoundError, ValidationFailedError
from ..journal import Journal
from ..ports.listings import Equals, Query
from ..read_models.rows import MessageTemplateRow

# Of one name there is one in each sender profile, or language.
_MOST_NAMESAKES = 100
_PATHS = {Channel.RCS: "rcs-templates", Channel.WHATSAPP: "wa-templates"}


class NamedTemplateNotFoundError(NotFoundError):
    """The account has no such template on this channel."""

    code = "template_not_found"

    def __init__(self, channel: Channel, name: str) -> None:
        super().__init__(
            f"The account has no such {channel} template {name[:100]!r}. List what it has with"
            f" GET /admin/v1/{_PATHS[channel]}."
        )


class FindingTemplates:
    """Looks templates up by name."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def rcs_template(
        self, account_id: str, name: str, sender_profile: str | None = None
    ) -> str:
        """
        Give the id of an account's RCS template.

        Raises `NamedTemplateNotFoundError`, or `ValidationFailedError` naming the sender profiles
        where several have a template of this name and none of them is given.
        """
        if sender_profile is not None:
            subject = rcs_template.template_name(account_id, sender_profile, name)
            return await self._held(Channel.RCS, name, subject)
        rows = await templates_named(self._journal, account_id, Channel.RCS, name)
        profiles = [str(row.sender_profile) for row in rows]
        return _the_only(Channel.RCS, name, rows, "sender_profile", profiles)

    async def whatsapp_template(
        self, account_id: str, name: str, language: str | None = None
    ) -> str:
        """
        Give the id of an account's WhatsApp template.

        Raises `NamedTemplateNotFoundError`, or `ValidationFailedError` naming the languages where
        there are several and none of them is given.
        """
        if language is not None:
            subject = whatsapp_template.template_name(account_id, name, language)
            return await self._held(Channel.WHATSAPP, name, subject)
        rows = await templates_named(self._journal, account_id, Channel.WHATSAPP, name)
        languages = [str(row.language) for row in rows]
        return _the_only(Channel.WHATSAPP, name, rows, "language", languages)

    async def _held(self, channel: Channel, name: str, subject: str) -> str:
        template_id = await self._journal.holder(subject)
        if template_id is None:
            raise NamedTemplateNotFoundError(channel, name)
        return template_id


async def templates_named(
    journal: Journal, account_id: str, channel: Channel, name: str
) -> Sequence[MessageTemplateRow]:
    """Give an account's templates of a name, the oldest first: one in each sender profile or language."""
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
    return await journal.slice(query)


def _the_only(
    channel: Channel,
    name: str,
    rows: Sequence[MessageTemplateRow],
    field: str,
    choices: Sequence[str],
) -> str:
    """Give the one template of a name; raises where there is none, or several that `field` tells apart."""
    if not rows:
        raise NamedTemplateNotFoundError(channel, name)
    if len(rows) > 1:
        some = ", ".join(sorted(choices)[:MOST_PROBLEMS])
        said = f"is required, as there are several templates of this name: {some}"
        raise ValidationFailedError([FieldProblem(field, said)])
    return rows[0].id

"""Finding the template that an operator means by its name (C-36)."""

from __future__ import annotations

from ...domain.channel import Channel
from ...domain.errors import MOST_PROBLEMS, FieldProblem, NotFoundError, ValidationFailedError
from ...domain.rcs_template import template_name
from ..journal import Journal
from ..ports.listings import Equals, Query
from ..read_models.rows import MessageTemplateRow


class NamedTemplateNotFoundError(NotFoundError):
    """The account has no template of this name on this channel, or none of this sender profile."""

    code = "template_not_found"

    def __init__(self, channel: Channel, name: str) -> None:
        super().__init__(
            f"The account has no {channel} template {name[:100]!r} of this sender profile. List what"
            f" it has with GET /admin/v1/{channel}-templates."
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
            subject = template_name(account_id, sender_profile, name)
            held = await self._journal.holder(subject)
            found = {sender_profile: held} if held is not None else {}
        else:
            found = await self._by_profile(account_id, name)
        if not found:
            raise NamedTemplateNotFoundError(Channel.RCS, name)
        if len(found) > 1:
            profiles = ", ".join(sorted(found))
            problem = f"is required, since several have a template of this name: {profiles}"
            raise ValidationFailedError([FieldProblem("sender_profile", problem)])
        (template_id,) = found.values()
        return template_id

    async def _by_profile(self, account_id: str, name: str) -> dict[str, str]:
        query = Query(
            rows=MessageTemplateRow,
            where=(
                Equals("account_id", account_id),
                Equals("channel", str(Channel.RCS)),
                Equals("name", name),
            ),
            page_size=MOST_PROBLEMS,
        )
        return {str(row.sender_profile): row.id for row in await self._journal.slice(query)}

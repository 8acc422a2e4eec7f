"""The templates that a send names: there, approved, and filled in (C-48, C-60)."""

from __future__ import annotations

from collections.abc import Sequence

from ...domain.channel import ChannelName
from ...domain.errors import FieldProblem, ValidationFailedError
from ...domain.message import (
    Content,
    RcsTemplateContent,
    WhatsappTemplateContent,
    carries_code,
)
from ...domain.message_template import (
    MessageTemplate,
    MessageTemplateNotFoundError,
    TemplateNotApprovedError,
)
from ..ports.message_templates import MessageTemplates
from .send_requests import StepRequest


class LookingUpTemplates:
    """Finds templates by what is sent under them."""

    def __init__(self, templates: MessageTemplates) -> None:
        self._templates = templates

    async def of(
        self, account_id: str, requests: Sequence[StepRequest]
    ) -> list[MessageTemplate | None]:
        """
        Give the template of each request, looked up once; None where its content needs none.

        Raises `MessageTemplateNotFoundError` for the first one that does not exist.
        """
        found: dict[tuple[ChannelName, str, tuple[str, str | None]], MessageTemplate] = {}
        given: list[MessageTemplate | None] = []
        for each in requests:
            named = _named(each.content)
            if named is None:
                given.append(None)
                continue
            asked = (each.channel, each.sender, named)
            if asked not in found:
                template = await self.find(account_id, each.channel, each.sender, each.content)
                if template is None:
                    raise MessageTemplateNotFoundError(each.channel, named[0])
                found[asked] = template
            given.append(found[asked])
        return given

    async def find(
        self, account_id: str, channel: ChannelName, sender: str, content: Content
    ) -> MessageTemplate | None:
        """Give the template that a content is sent under, if it needs one and it exists."""
        named = _named(content)
        if named is None:
            return None
        return await self._templates.find(account_id, channel, sender, *named)


def needs_template(content: Content) -> bool:
    """Whether a content is sent under a template."""
    return _named(content) is not None


def to_be_hidden(content: Content, template: MessageTemplate | None) -> bool:
    """Whether a content is never stored in clear, by itself or by its template (C-23)."""
    return carries_code(content, template_carries_code=bool(template and template.carries_code))


def require_approved(
    requests: Sequence[StepRequest], templates: Sequence[MessageTemplate | None]
) -> None:
    """Raise `TemplateNotApprovedError` for the first template that is not."""
    for each, template in zip(requests, templates, strict=True):
        if template is not None and not template.approved:
            raise TemplateNotApprovedError(each.channel, template.name)


def require_values(
    requests: Sequence[StepRequest], templates: Sequence[MessageTemplate | None]
) -> None:
    """Raise `ValidationFailedError` where a placeholder of an RCS template has no value (C-60)."""
    problems = {}
    for each, template in zip(requests, templates, strict=True):
        if isinstance(each.content, RcsTemplateContent) and template is not None:
            left_out = sorted(template.placeholders - each.content.params.keys())
            if left_out:
                problems[each.content_path] = f"must have a value for {', '.join(left_out)}"
    if problems:
        raise ValidationFailedError(FieldProblem(path, said) for path, said in problems.items())


def _named(content: Content) -> tuple[str, str | None] | None:
    match content:
        case RcsTemplateContent(template_code=code):
            return code, None
        case WhatsappTemplateContent(name=name, language=language):
            return name, language
        case _:
            return None

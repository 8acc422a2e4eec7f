"""The templates of a send: they must exist, be approved and be filled in (C-48, C-60)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from itertools import chain
from typing import Any

from attrs import frozen

from ....domain import rcs_template, whatsapp_template
from ....domain.channel import Channel
from ....domain.decider import Decider
from ....domain.errors import MOST_PROBLEMS, FieldProblem, FormProblem, ValidationFailedError
from ....domain.message import (
    Content,
    RcsTemplateContent,
    WhatsappTemplateContent,
    carries_code,
)
from ....domain.rcs_template import rcs_template_decider
from ....domain.template_filling import (
    MessageTemplate,
    MessageTemplateNotFoundError,
    TemplateNotApprovedError,
    holds_code,
    is_approved,
    value_problems,
    weight,
)
from ....domain.whatsapp_template import whatsapp_template_decider
from ...concurrency.bulk_lane import BulkWork
from ...journal import Journal
from .linking_media import LinkingMedia
from .send_requests import StepRequest

_REMEMBERED = 10_000
# The characters of a filled-in template, buttons included: a placeholder may occur often (D-95).
MAX_FILLED = 128 * 1024


@frozen
class _Named:
    """The template that a content names: its name, its decider, and the subject of its name."""

    channel: Channel
    name: str
    decider: Decider[Any]
    subject: str


class TemplatesOfSends:
    """
    Finds the templates of sends: RCS by sender profile (C-49), WhatsApp by language.

    The holders of names are cached, because templates never give up their names. Their states are not.
    """

    def __init__(self, journal: Journal, media: LinkingMedia) -> None:
        self._journal = journal
        self._media = media
        self._holders: OrderedDict[str, str] = OrderedDict()

    async def of(
        self, account_id: str, requests: Sequence[StepRequest]
    ) -> list[MessageTemplate | None]:
        """
        Return the template of each request, each looked up once; None where the content needs none.

        Raises `MessageTemplateNotFoundError` for the first one that does not exist.
        """
        found: dict[str, MessageTemplate] = {}
        given: list[MessageTemplate | None] = []
        for each in requests:
            named = _named(account_id, each.sender, each.content)
            if named is not None and named.subject not in found:
                found[named.subject] = await self._load(named)
            given.append(None if named is None else found[named.subject])
        return given

    async def of_content(
        self, account_id: str, sender: str, content: Content
    ) -> MessageTemplate | None:
        """Return the template of one content; raises `MessageTemplateNotFoundError`."""
        named = _named(account_id, sender, content)
        return None if named is None else await self._load(named)

    async def _load(self, named: _Named) -> MessageTemplate:
        holder = self._holders.get(named.subject)
        if holder is None:
            holder = await self._journal.holder(named.subject)
            if holder is None:
                raise MessageTemplateNotFoundError(named.channel, named.name, narrowed=True)
            self._holders[named.subject] = holder
            if len(self._holders) > _REMEMBERED:
                self._holders.popitem(last=False)
        template: MessageTemplate = (await self._journal.load(named.decider, holder)).state
        return self._media.in_template(template)


def to_be_hidden(content: Content, template: MessageTemplate | None) -> bool:
    """Return whether a content, or its template, carries a code and is never stored in clear (C-23)."""
    by_template = template is not None and holds_code(template)
    return carries_code(content, template_carries_code=by_template)


def require_approved(
    requests: Sequence[StepRequest], templates: Sequence[MessageTemplate | None]
) -> None:
    """Raise `TemplateNotApprovedError` for the first template that is not approved."""
    for each, template in zip(requests, templates, strict=True):
        if template is not None and not is_approved(template):
            raise TemplateNotApprovedError(each.channel, template.name)


async def require_values(
    requests: Sequence[StepRequest],
    templates: Sequence[MessageTemplate | None],
    work: BulkWork,
) -> None:
    """Raise `ValidationFailedError` for contents that do not fill their templates exactly (C-60, D-19)."""
    wrong: dict[str, Sequence[FieldProblem]] = {}
    seen: set[str] = set()
    for each, template in zip(requests, templates, strict=True):
        # Messages of one object have one content.
        if template is None or each.content_path in seen:
            continue
        seen.add(each.content_path)
        if problems := _value_problems(each, template):
            wrong[each.content_path] = problems
        await work.pause()
        if len(wrong) == MOST_PROBLEMS:
            break
    if wrong:
        raise ValidationFailedError(chain.from_iterable(wrong.values()))


def _value_problems(request: StepRequest, template: MessageTemplate) -> Sequence[FieldProblem]:
    path = request.content_path
    if problems := value_problems(request.content, template, path):
        return problems
    if weight(request.content, template) > MAX_FILLED:
        said = f"must fill the template with less: it has over {MAX_FILLED:,} characters then"
        return (FormProblem(path, said),)
    return ()


def _named(account_id: str, sender: str, content: Content) -> _Named | None:
    match content:
        case RcsTemplateContent(template_code=code):
            subject = rcs_template.template_name(account_id, sender, code)
            return _Named(Channel.RCS, code, rcs_template_decider, subject)
        case WhatsappTemplateContent(name=name, language=language):
            subject = whatsapp_template.template_name(account_id, name, language)
            return _Named(Channel.WHATSAPP, name, whatsapp_template_decider, subject)
        case _:
            return None

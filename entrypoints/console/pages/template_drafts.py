"""Drafts of RCS and WhatsApp templates: previewed, and judged by every rule; none is created (D-510)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from aiohttp import web
from attrs import frozen

from ....domain.accounts.token_role import TokenRole
from ....domain.channel import Channel
from ....domain.errors import FieldProblem
from ....domain.rcs_template import UploadedFile
from ...http.listener.large_bodies import LARGE_BODIES
from ...message_templates import rcs_reading, whatsapp_reading
from ...wire.known_members import unknown_member
from ...wire.strict_json import NotStrictJsonError, read_json
from ..forms import Form
from ..page import LONG_FORM, Page
from ..previews.rcs import rcs_preview
from ..previews.shown import Preview
from ..previews.whatsapp import template_preview
from ..template_forms.fields import CHANNEL_NAMES
from ..visit import Visit


@frozen(kw_only=True)
class Judged:
    """A draft's preview, the rules that it breaks, and members that no rule knows."""

    preview: Preview | None
    problems: Sequence[FieldProblem]
    ignored: Sequence[FieldProblem]


def _judged_rcs(text: str, files: Sequence[str]) -> Judged:
    read = rcs_reading.read_template(text, [UploadedFile(name=each) for each in files])
    return _judged(text, rcs_preview, read.problems, read.ignored)


def _judged_whatsapp(text: str, _: Sequence[str]) -> Judged:
    read = whatsapp_reading.read_template_text(text)
    return _judged(text, template_preview, read.problems, read.ignored)


def _judged(
    text: str,
    preview: Callable[[Mapping[str, Any]], Preview],
    problems: Sequence[FieldProblem],
    ignored: Sequence[str],
) -> Judged:
    try:
        draft = read_json(text)
    except NotStrictJsonError:
        draft = None
    return Judged(
        preview=preview(draft) if isinstance(draft, dict) else None,
        problems=problems,
        ignored=[unknown_member(path) for path in ignored],
    )


def _pages(channel: Channel, judge: Callable[[str, Sequence[str]], Judged]) -> tuple[Page, ...]:
    path = f"/templates/drafts/{channel}"

    async def judged(visit: Visit, form: Form, page: str) -> web.StreamResponse:
        # A template of a mebibyte takes longer than the event loop may be held.
        judged = await visit.request.app[LARGE_BODIES].do(
            partial(judge, form.get("data"), form.get("files").split())
        )
        return visit.show(
            page,
            form=form,
            judged=judged,
            path=path,
            channel=channel,
            channel_name=CHANNEL_NAMES[channel],
        )

    async def show(visit: Visit) -> web.StreamResponse:
        return await judged(visit, Form({"data": [_EXAMPLES[channel]]}), "templates/draft.html")

    async def check(visit: Visit) -> web.StreamResponse:
        moving = visit.moves_a_part
        page = "templates/draft_answer.html" if moving else "templates/draft.html"
        return await judged(visit, visit.form, page)

    return (
        Page("GET", path, show, TokenRole.OPERATOR),
        Page("POST", path, check, TokenRole.OPERATOR, most=LONG_FORM),
    )


_EXAMPLES: Mapping[Channel, str] = {
    Channel.RCS: """{
  "name": "teas",
  "type": "text_message",
  "textMessageContent": "Hello [name], the new teas are here.",
  "suggestions": [
    {"suggestionType": "reply", "displayText": "Tell me more", "postback": "more"}
  ]
}""",
    Channel.WHATSAPP: """{
  "name": "teas",
  "language": "en",
  "category": "MARKETING",
  "components": [
    {"type": "BODY", "text": "Hello {{1}}, the new teas are here.",
     "example": {"body_text": [["Ada"]]}},
    {"type": "BUTTONS", "buttons": [{"type": "QUICK_REPLY", "text": "Tell me more"}]}
  ]
}""",
}
TEMPLATE_DRAFT_PAGES = (
    *_pages(Channel.RCS, _judged_rcs),
    *_pages(Channel.WHATSAPP, _judged_whatsapp),
)

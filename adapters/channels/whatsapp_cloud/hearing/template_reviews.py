"""Meta's decisions on templates (C-36, C-99)."""

from __future__ import annotations

from msgspec import Raw, Struct

from .....application.ports.channels import TemplateReview
from ...http_client.reading_answers import one_line
from ...ids import id_in
from ..decisions import decides, given_reason
from ..languages import in_requests
from .parts import IGNORED, Ignored, read_part


class _Rejection(Struct, frozen=True):
    reason: str | None = None
    recommendation: str | None = None


class _Other(Struct, frozen=True):
    description: str | None = None


class _Update(Struct, frozen=True):
    event: str
    message_template_name: str
    message_template_language: str
    reason: str | None = None
    rejection_info: _Rejection | None = None
    other_info: _Other | None = None


def review_in(raw: Raw, business_account_id: str) -> TemplateReview | Ignored | None:
    """Return the decision in a template's event, if it decides; None if the event cannot be read."""
    said = read_part(raw, _Update)
    if said is None:
        return None
    approved = decides(said.event)
    if approved is None:
        return IGNORED
    template, language = id_in(said.message_template_name), id_in(said.message_template_language)
    if template is None or language is None:
        return None
    return TemplateReview(
        name=template,
        language=in_requests(language),
        approved=approved,
        reason=None if approved else _reason(said),
        addressed_to={"businessAccountId": business_account_id},
    )


def _reason(said: _Update) -> str:
    """Return the event and all that Meta says about it, in one line: `REJECTED: INVALID_FORMAT. …`."""
    info, other = said.rejection_info or _Rejection(), said.other_info or _Other()
    parts = (given_reason(said.reason), info.reason, info.recommendation, other.description)
    words = ". ".join(each.rstrip(". ") for each in parts if each)
    return one_line(f"{said.event}: {words}." if words else said.event)

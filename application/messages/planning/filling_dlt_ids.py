"""Fill in the DLT ids of SMS from an account's registered templates (SPEC 5, C-30)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

import attrs

from ....domain.destination import prefixed
from ....domain.dlt.numbers import needs_dlt_ids
from ....domain.dlt.text import DltTexts
from ....domain.errors import MOST_PROBLEMS, FieldProblem, ValidationFailedError
from ....domain.message import SmsContent
from ...caller import Caller
from ...concurrency.bulk_lane import BulkWork
from ...records.dlt_template import DltTemplateRow
from .registered_dlt_texts import RegisteredDltTexts
from .send_requests import SendRequest, StepRequest

S = TypeVar("S", bound=StepRequest)

_NO_MATCH = (
    "is required for an Indian number: the text is that of no registered DLT template, or of more than"
    " one. Give the id that your DLT operator registered."
)


class FillingDltIds:
    """Auto-match, for callers whose key has it."""

    def __init__(self, registered: RegisteredDltTexts) -> None:
        self._registered = registered

    async def filled(self, by: Caller, request: SendRequest, work: BulkWork) -> SendRequest:
        """
        Return the send with the ids that follow from its texts, including its fallback's.

        A caller's ids are kept, and restrict the templates. Raises `ValidationFailedError` if an
        SMS to an Indian number still has no id.
        """
        steps = tuple(request.fallback.steps.values()) if request.fallback else ()
        if not by.template_auto_match or not any(map(_lacks, (*request.messages, *steps))):
            return request
        texts = await self._registered.of(by.account_id)
        known: dict[SmsContent, SmsContent] = {}

        async def fill(each: S) -> S:
            if not _lacks(each):
                return each
            content = each.content
            assert isinstance(content, SmsContent)
            if content not in known:
                # A search among thousands of texts takes milliseconds, so other tasks run in between.
                await work.pause()
                known[content] = _filled(content, texts)
            return attrs.evolve(each, content=known[content])

        messages = tuple([await fill(each) for each in request.messages])
        fallback = request.fallback
        if fallback is not None:
            filled = {channel: await fill(each) for channel, each in fallback.steps.items()}
            fallback = attrs.evolve(fallback, steps=filled)
        filled_in = attrs.evolve(request, messages=messages, fallback=fallback)
        _require_ids(filled_in)
        return filled_in


def _lacks(each: StepRequest) -> bool:
    content = each.content
    return isinstance(content, SmsContent) and not (content.template_id and content.entity_id)


def _filled(content: SmsContent, texts: DltTexts[DltTemplateRow]) -> SmsContent:
    agreeing = (
        row
        for row in texts.matching(content.text)
        if content.template_id in (None, row.template_id)
        and content.entity_id in (None, row.entity_id)
    )
    # If two templates match, none is used (C-60).
    match list(islice(agreeing, 2)):
        case [row]:
            return attrs.evolve(content, template_id=row.template_id, entity_id=row.entity_id)
        case _:
            return content


def _require_ids(request: SendRequest) -> None:
    recipients = [prefixed(each.recipient, request.prefix) for each in request.messages]
    lacking: list[StepRequest] = [
        each
        for each, recipient in zip(request.messages, recipients, strict=True)
        if _lacks(each) and needs_dlt_ids(recipient)
    ]
    if request.fallback is not None and any(map(needs_dlt_ids, recipients)):
        lacking += filter(_lacks, request.fallback.steps.values())
    if lacking:
        raise ValidationFailedError(islice(_problems(lacking), MOST_PROBLEMS))


def _problems(lacking: Iterable[StepRequest]) -> Iterable[FieldProblem]:
    for each in lacking:
        assert isinstance(each.content, SmsContent)
        for name in ("template_id", "entity_id"):
            if not getattr(each.content, name):
                yield FieldProblem(f"{each.path}.{name}", _NO_MATCH)

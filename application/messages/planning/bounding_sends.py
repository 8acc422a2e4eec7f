"""Limit the size of sends: each recipient gets the contents, so the size of a body limits nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from ....domain.errors import FieldProblem, ValidationFailedError
from ....domain.message import (
    Content,
    ProviderContent,
    RcsTemplateContent,
    SmsContent,
    WhatsappSessionContent,
    WhatsappTemplateContent,
)
from ...concurrency.bulk_lane import BulkWork
from .send_requests import SendRequest

# The limits of one content, and of all contents of a call for all recipients, steps included.
MAX_CONTENT = 32 * 1024
MAX_CALL = 8 * 1024 * 1024


async def require_bounded(
    request: SendRequest, shortened: Callable[[Content], Content], work: BulkWork
) -> None:
    """
    Raise `ValidationFailedError` if one content, or all together, are too large (D-54).

    The length of a content is measured after `shortened`.
    """
    steps = tuple(request.fallback.steps.values()) if request.fallback else ()
    weights: dict[int, int] = {}
    too_large: dict[str, str] = {}
    for each in (*request.messages, *steps):
        if id(each.content) not in weights:
            weights[id(each.content)] = weight = _weight(shortened(each.content))
            if weight > MAX_CONTENT:
                too_large[each.content_path] = f"must have at most {MAX_CONTENT:,} bytes as JSON"
            await work.pause()
    of_steps = sum(weights[id(each.content)] for each in steps)
    in_all = sum(weights[id(each.content)] + of_steps for each in request.messages)
    if in_all > MAX_CALL and not too_large:
        too_large["body"] = (
            f"must have at most {MAX_CALL:,} bytes of contents in all, each counted for every"
            " recipient; send the rest in other calls"
        )
    if too_large:
        raise ValidationFailedError(FieldProblem(path, said) for path, said in too_large.items())


def _weight(content: Content) -> int:
    match content:
        case SmsContent(text=text):
            return len(text)
        case WhatsappTemplateContent(components=components):
            return _length(list(components))
        case WhatsappSessionContent(body=body):
            return _length(body)
        case RcsTemplateContent(params=params):
            return _length(params)
        case ProviderContent(payload=payload):
            return _length(payload)


def _length(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))

"""Answers of which each part is a line of JSON, written as soon as it is known."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from aiohttp import hdrs, web

from ...adapters.logs import logger
from ...application.caller import Caller
from ...domain.errors import DomainError
from ..wire.codec import encode
from .answers import Answer
from .error_answers import internal_error, refusal_answer
from .error_forms import Form
from .listener.json_response import REQUEST_ID
from .preferences import APPLIED, PREFERENCE_APPLIED

NDJSON = "application/x-ndjson"
_log = logger("watchword.http")


def accepts_lines(request: web.Request) -> bool:
    """Return whether the client asked for lines."""
    accepted = ",".join(request.headers.getall(hdrs.ACCEPT, ()))
    return any(each.partition(";")[0].strip() == NDJSON for each in accepted.lower().split(","))


async def lines_answer(
    request: web.Request, by: Caller, lines: AsyncIterator[Any]
) -> web.StreamResponse:
    """Write each value as a line; a refusal after the first line is the last line."""
    headers: dict[str, str] = {
        hdrs.CONTENT_TYPE: NDJSON,
        REQUEST_ID: by.request_id,
        hdrs.CACHE_CONTROL: "no-store",
    }
    if APPLIED in request:
        # The edge cannot add to an answer that is under way.
        headers[PREFERENCE_APPLIED] = request[APPLIED]
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    try:
        async for each in lines:
            await response.write(encode(each) + b"\n")
    except ConnectionResetError:
        raise
    except Exception as error:
        # The status is sent already.
        await response.write(_refused(error, by).body + b"\n")
    await response.write_eof()
    return response


def _refused(error: Exception, by: Caller) -> Answer:
    if isinstance(error, DomainError):
        return refusal_answer(error, by.request_id, Form.ENVELOPE)
    _log.error("request_failed", exc_info=error)
    return internal_error(by.request_id, Form.ENVELOPE)

"""Tests of channel accounts, answered whole or line by line (C-67)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from aiohttp import hdrs, web

from ....adapters.logs import logger
from ....application.caller import Caller
from ....application.channel_tests.views import ChannelTestRequest, ChannelTestView, StepResult
from ....domain.errors import DomainError
from ...wire.channel_tests import shown
from ...wire.codec import encode
from ...wired import Wired
from ..answers import Answer
from ..error_answers import internal_error, refusal_answer
from ..error_forms import Form
from ..listener.json_response import REQUEST_ID
from ..operator_handlers import record_answer
from ..request_ids import calling_about
from ..requests import body_as
from ..route import ALL, About, Route

NDJSON = "application/x-ndjson"
_log = logger("watchword.http")


async def run_test(service: Wired, request: web.Request, by: Caller) -> web.StreamResponse:
    """Test a channel account; each step is a line when it has happened, if the client accepts lines."""
    asked = await body_as(request, ChannelTestRequest)
    by = calling_about(request, by, (asked.to,))
    channel_account_id = request.match_info["id"]
    if not _accepts_lines(request):
        whole = await service.channel_tests.whole(by, channel_account_id, asked)
        return record_answer(by, shown(whole))
    async with aclosing(await service.channel_tests.begin(by, channel_account_id, asked)) as test:
        return await _streamed(request, by, test)


async def _streamed(
    request: web.Request, by: Caller, test: AsyncIterator[StepResult | ChannelTestView]
) -> web.StreamResponse:
    headers = {hdrs.CONTENT_TYPE: NDJSON, REQUEST_ID: by.request_id, hdrs.CACHE_CONTROL: "no-store"}
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    try:
        async for each in test:
            await response.write(encode(shown(each)) + b"\n")
    except ConnectionResetError:
        raise
    except Exception as error:
        # The status is sent already, so the refusal is the last line.
        await response.write(_refused(error, by).body + b"\n")
    await response.write_eof()
    return response


def _refused(error: Exception, by: Caller) -> Answer:
    if isinstance(error, DomainError):
        return refusal_answer(error, by.request_id, Form.ENVELOPE)
    _log.error("request_failed", exc_info=error)
    return internal_error(by.request_id, Form.ENVELOPE)


def _accepts_lines(request: web.Request) -> bool:
    accepted = ",".join(request.headers.getall(hdrs.ACCEPT, ()))
    return any(each.partition(";")[0].strip() == NDJSON for each in accepted.lower().split(","))


# It sends a message that costs money, through credentials that only creators of accounts have.
CHANNEL_TEST_ROUTES = (
    Route(
        "POST",
        "/admin/v1/channel-accounts/{id}/test",
        run_test,
        ALL,
        About.ACCOUNT,
        names_people=True,
    ),
)

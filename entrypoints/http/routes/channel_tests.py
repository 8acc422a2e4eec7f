"""Tests of channel accounts, answered whole or line by line (C-67)."""

from __future__ import annotations

from contextlib import aclosing

from aiohttp import web

from ....application.caller import Caller
from ....application.channel_tests.views import ChannelTestRequest
from ...wire.channel_tests import shown
from ...wired import Wired
from ..lines import accepts_lines, lines_answer
from ..operator_handlers import record_answer
from ..request_ids import calling_about
from ..requests import body_as
from ..route import ACT, About, Route


async def run_test(service: Wired, request: web.Request, by: Caller) -> web.StreamResponse:
    """Test a channel account; each step is a line when it has happened, if the client accepts lines."""
    asked = await body_as(request, ChannelTestRequest)
    by = calling_about(request, by, (asked.to,))
    channel_account_id = request.match_info["id"]
    if not accepts_lines(request):
        whole = await service.channel_tests.whole(by, channel_account_id, asked)
        return record_answer(by, shown(whole))
    async with aclosing(await service.channel_tests.begin(by, channel_account_id, asked)) as test:
        return await lines_answer(request, by, (shown(each) async for each in test))


CHANNEL_TEST_ROUTES = (
    Route(
        "POST",
        "/admin/v1/channel-accounts/{id}/test",
        run_test,
        ACT,
        About.ACCOUNT,
        names_people=True,
    ),
)

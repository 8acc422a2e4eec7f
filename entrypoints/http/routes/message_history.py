"""What became of messages: the status check and the history (SPEC C, C-23)."""

from __future__ import annotations

from functools import partial

from aiohttp import web

from ....application.caller import Caller
from ...messaging.message_questions import HistoryQuestion, StatusQuestion, history_question
from ...messaging.shown_messages import followed_message
from ...wire.codec import encode
from ...wire.searches import names_of
from ...wired import Wired
from ..answers import Answer, page_answer
from ..request_ids import calling_about
from ..requests import body_as, search_of
from ..route import KEY_FOR_MESSAGES, About, Route


async def status(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Return the status of up to 100 messages."""
    asked = (await body_as(request, StatusQuestion)).message_ids
    found = await service.reading_histories.status(by.account_id, asked)
    body = {"status": "success", "data": [followed_message(each) for each in found]}
    return Answer(200, encode(body)).response(by.request_id)


async def history(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Return one page of the account's messages, sent and received, the newest first."""
    read = partial(history_question, third_parties=service.third_parties)
    asked = search_of(request, HistoryQuestion, read)
    by = calling_about(request, by, () if asked.recipient is None else (asked.recipient,))
    found = await service.reading_histories.history(
        by.account_id, asked, asked.page_no, asked.limit
    )
    shown = [followed_message(each) for each in found]
    return page_answer(asked.page_no, asked.limit, shown).response(by.request_id)


MESSAGE_HISTORY_ROUTES = (
    Route("POST", "/status", status, KEY_FOR_MESSAGES, About.ACCOUNT),
    Route(
        "GET",
        "/history",
        history,
        KEY_FOR_MESSAGES,
        About.ACCOUNT,
        names_of(HistoryQuestion),
        search=HistoryQuestion,
        names_people=True,
    ),
)

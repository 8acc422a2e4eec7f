"""What became of messages: the status check and the history (SPEC C, C-23)."""

from __future__ import annotations

from functools import partial
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.messages.looking_up.reading_histories import (
    FallbackProgress,
    FollowedMessage,
    StepProgress,
    UnknownMessage,
)
from ...messaging.message_questions import HistoryQuestion, StatusQuestion, history_question
from ...messaging.shown_messages import error_code, history_line
from ...wire.codec import encode, wire_time
from ...wire.searches import names_of
from ...wiring import Wired
from ..answers import Answer, page_answer
from ..requests import body_as, search_of
from ..route import KEY_FOR_MESSAGES, About, Route


async def status(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Tell where up to 100 messages stand."""
    asked = (await body_as(request, StatusQuestion)).message_ids
    found = await service.reading_histories.status(by.account_id, asked)
    body = {"status": "success", "data": [_entry(each) for each in found]}
    return Answer(200, encode(body)).response(by.request_id)


async def history(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Give one page of the account's messages, both ways, the newest first."""
    read = partial(history_question, third_parties=service.third_parties)
    asked = search_of(request, HistoryQuestion, read)
    found = await service.reading_histories.history(
        by.account_id, asked, asked.page_no, asked.limit
    )
    shown = [_entry(each) for each in found]
    return page_answer(asked.page_no, asked.limit, shown).response(by.request_id)


def _entry(message: FollowedMessage | UnknownMessage) -> dict[str, Any]:
    if isinstance(message, UnknownMessage):
        return {"messageId": message.message_id, "status": message.status}
    entry: dict[str, Any] = {
        "messageId": message.message_id,
        "channel": message.channel,
        "sender": message.sender,
        "recipient": message.recipient,
        "status": message.status,
        "direction": message.direction,
        "createdAt": wire_time(message.created_at),
        "updatedAt": wire_time(message.updated_at),
        "custRefs": message.cust_refs,
        "events": [history_line(each) for each in message.events],
    }
    if message.fallback is not None:
        entry["fallback"] = _fallback(message.fallback)
    return entry


def _fallback(progress: FallbackProgress) -> dict[str, Any]:
    return {
        "runId": progress.run_id,
        "status": progress.status,
        "steps": [_step(each) for each in progress.steps],
    }


def _step(step: StepProgress) -> dict[str, Any]:
    message = {} if step.message_id is None else {"messageId": step.message_id}
    return {"channel": step.channel, **message, "status": step.status, **error_code(step)}


MESSAGE_HISTORY_ROUTES = (
    Route("POST", "/status", status, KEY_FOR_MESSAGES, About.ACCOUNT),
    Route("GET", "/history", history, KEY_FOR_MESSAGES, About.ACCOUNT, names_of(HistoryQuestion)),
)

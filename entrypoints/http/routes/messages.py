"""The messaging endpoints for sends (SPEC B1, C)."""

from __future__ import annotations

from functools import partial
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.messages.sending_messages import SentMessages
from ....domain.errors import DomainError
from ...messaging.send_bodies import send_request
from ...messaging.shown_messages import sent_messages
from ...wire.codec import encode
from ...wired import Wired
from ..answers import Answer
from ..error_answers import internal_error, refusal_answer
from ..error_forms import Form
from ..request_ids import calling_about
from ..requests import domains_of, idempotency_of, json_read
from ..route import KEY_FOR_MESSAGES, About, Route

# One endpoint under two names (C-19), so one operation for idempotency (C-10).
_SEND_PATHS = ("/oapi/send_sms", "/send_sms")
_SEND = "POST /oapi/send_sms"


async def send(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """B1: send messages, with a fallback where one is asked for."""
    read = partial(
        send_request,
        third_parties=service.third_parties,
        short_domains=domains_of(request, service),
        auto_match=by.template_auto_match,
    )
    body, wanted = await json_read(request, read)
    by = calling_about(request, by, (each.recipient for each in wanted.messages))

    def present(result: Any) -> Answer:
        return _sent_answer(result, by)

    idempotency = await idempotency_of(request, by, service, _SEND, body, present)
    return present(await service.sending_messages.send(by, wanted, idempotency)).response(
        by.request_id
    )


def _sent_answer(result: Any, by: Caller) -> Answer:
    """Answer a send: with its messages (C-19), with a refusal, or after an unexpected error."""
    if isinstance(result, SentMessages):
        return Answer(200, encode(sent_messages(result, by.request_id)))
    if isinstance(result, DomainError):
        return refusal_answer(result, by.request_id, Form.MESSAGING)
    return internal_error(by.request_id, Form.MESSAGING)


MESSAGE_ROUTES = tuple(
    Route("POST", path, send, KEY_FOR_MESSAGES, About.ACCOUNT, names_people=True)
    for path in _SEND_PATHS
)

"""The messaging endpoints for sends (SPEC B1, C)."""

from __future__ import annotations

from functools import partial
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.messages.sending_messages import SentMessage, SentMessages
from ....domain.errors import DomainError
from ...messaging.send_bodies import send_request
from ...wire.codec import encode, wire_time
from ...wiring import Wired
from ..answers import Answer, internal_error, refusal_answer
from ..error_forms import Form
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

    def present(result: Any) -> Answer:
        return _sent_answer(result, by)

    idempotency = await idempotency_of(request, by, service, _SEND, body, present)
    return present(await service.sending_messages.send(by, wanted, idempotency)).response(
        by.request_id
    )


def _sent_answer(result: Any, by: Caller) -> Answer:
    """Present what became of a send (C-19), a refusal, or what should not have happened."""
    if isinstance(result, SentMessages):
        body: dict[str, Any] = {
            "status": "success",
            "requestId": by.request_id,
            "data": [_entry(message) for message in result.messages],
        }
        if result.fallback is not None:
            body["fallback"] = {
                "fallback_id": result.fallback.fallback_id,
                # As SPEC 2.6 types it (D-42).
                "waittime": str(result.fallback.waittime_seconds),
                "deadline": wire_time(result.fallback.deadline),
            }
        return Answer(200, encode(body))
    if isinstance(result, DomainError):
        return refusal_answer(result, by.request_id, Form.MESSAGING)
    return internal_error(by.request_id, Form.MESSAGING)


def _entry(message: SentMessage) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "messageId": message.message_id,
        "channel": message.channel,
        "recipient": message.recipient,
        "status": "accepted" if message.accepted else "rejected",
    }
    if not message.accepted:
        entry |= {"errorCode": message.error_code, "errorMessage": message.error_message}
    entry["custRefs"] = message.cust_refs
    if message.run_id is not None:
        entry["fallbackRunId"] = message.run_id
    return entry


MESSAGE_ROUTES = tuple(
    Route("POST", path, send, KEY_FOR_MESSAGES, About.ACCOUNT) for path in _SEND_PATHS
)

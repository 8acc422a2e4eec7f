"""The PIN service: D1 create, D2 resend, D3 verify, D4 templates."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.pins.issuing_pins import IssueRequest
from ....application.pins.resending_pins import ResendRequest
from ....application.pins.sending_pins import SentPin
from ....domain.channel import ChannelOutcome
from ....domain.errors import DomainError
from ...codec import encode, wire_time
from ...typed_requests import VerifyRequest
from ...wiring import Wired
from ..answers import Answer, internal_error, list_answer, refusal_answer
from ..authentication import pin_caller
from ..error_forms import Form
from ..pin_records import pin_record
from ..preferences import handled_strictly
from ..query_names import PAGE, refuse_unknown_parameters, takes
from ..requests import (
    TEMPLATE_FILTERS,
    body_as,
    idempotency_of,
    json_read,
    paging_of,
    template_search,
)


class PinRoutes:
    """Everything under `/v1`."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            web.post("/v1/pins", self.create),
            web.get("/v1/pins/{pinId}", self.get),
            web.post("/v1/pins/{pinId}/resend", self.resend),
            web.post("/v1/pins/{pinId}/verify", self.verify),
            web.get("/v1/templates", self.templates),
        ]

    async def create(self, request: web.Request) -> web.Response:
        """D1: create and dispatch a PIN."""
        by = await pin_caller(request, self._service)
        body, wanted = await json_read(request, IssueRequest)

        def present(result: Any) -> Answer:
            return _sent_answer(result, 201, by)

        idempotency = await idempotency_of(
            request, by, self._service, "POST /v1/pins", body, present
        )
        return present(await self._service.issuing.issue(by, wanted, idempotency)).response(
            by.request_id
        )

    async def get(self, request: web.Request) -> web.Response:
        """Tell where a PIN stands (C-90)."""
        by = await pin_caller(request, self._service)
        if handled_strictly(request):
            refuse_unknown_parameters(request)
        row = await self._service.verifications.get(by.account_id, request.match_info["pinId"])
        return Answer(200, encode(pin_record(row))).response(by.request_id)

    async def resend(self, request: web.Request) -> web.Response:
        """D2: resend a PIN."""
        by = await pin_caller(request, self._service)
        pin_id = request.match_info["pinId"]
        body, wanted = await json_read(request, ResendRequest)

        def present(result: Any) -> Answer:
            return _sent_answer(result, 200, by)

        route = f"POST /v1/pins/{pin_id}/resend"
        idempotency = await idempotency_of(request, by, self._service, route, body, present)
        return present(
            await self._service.resending.resend(by, pin_id, wanted, idempotency)
        ).response(by.request_id)

    async def verify(self, request: web.Request) -> web.Response:
        """D3: verify a PIN."""
        by = await pin_caller(request, self._service)
        typed = (await body_as(request, VerifyRequest)).pin
        verified = await self._service.verifying.verify(by, request.match_info["pinId"], typed)
        body = {
            "pinId": verified.pin_id,
            "status": verified.status,
            "attemptsRemaining": verified.attempts_remaining,
        }
        return Answer(200, encode(body)).response(by.request_id)

    @takes(*TEMPLATE_FILTERS, *PAGE)
    async def templates(self, request: web.Request) -> web.Response:
        """D4: list templates."""
        by = await pin_caller(request, self._service)
        listed = await self._service.pin_templates.list(
            by.account_id, template_search(request), paging_of(request)
        )
        return list_answer(listed).response(by.request_id)


def _channel_result(outcome: ChannelOutcome) -> dict[str, Any]:
    """Give one channel's result (SPEC 2.7); an unknown outcome reads as rejected (C-40)."""
    if outcome.accepted:
        return {
            "channel": outcome.channel,
            "status": "accepted",
            "providerMessageId": outcome.provider_message_id,
        }
    return {
        "channel": outcome.channel,
        "status": "rejected",
        "errorCode": outcome.error_code,
        "errorMessage": outcome.error_message,
    }


def _sent_answer(result: Any, status: int, by: Caller) -> Answer:
    """Present what became of a send: the PIN record, a refusal, or what should not have happened."""
    if isinstance(result, SentPin):
        record = {
            "pinId": result.pin_id,
            "status": result.status,
            "expiresAt": wire_time(result.expires_at),
            "attemptsRemaining": result.attempts_remaining,
            "channels": [_channel_result(outcome) for outcome in result.channels],
        }
        return Answer(status, encode(record))
    if isinstance(result, DomainError):
        return refusal_answer(result, by.request_id, Form.ENVELOPE)
    return internal_error(by.request_id, Form.ENVELOPE)

"""The PIN service: D1 create, D2 resend, D3 verify, D4 templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.issuing_pins import IssueRequest
from ....application.managing_pin_templates import SORT_COLUMNS, TemplateSearch
from ....application.paging import Listed
from ....application.resending_pins import ResendRequest
from ....application.sending_pins import SentPin
from ....domain.channel import ChannelOutcome
from ....domain.errors import DomainError
from ....domain.pin_template import TemplateStatus
from ...bootstrap import Wired
from ...structuring import camel, structure
from ...typed_requests import VerifyRequest
from ..answers import Answer, internal_error, refusal_answer
from ..codec import encode, unstructure, wire_time
from ..requests import idempotency_of, json_body, paging_of, pin_caller

_SORTS = {camel(name): name for name in SORT_COLUMNS}


class PinRoutes:
    """Everything under `/v1`."""

    def __init__(self, service: Wired) -> None:
        self._service = service

    def table(self) -> list[web.RouteDef]:
        """Give the routes of the area."""
        return [
            web.post("/v1/pins", self.create),
            web.post("/v1/pins/{pinId}/resend", self.resend),
            web.post("/v1/pins/{pinId}/verify", self.verify),
            web.get("/v1/templates", self.templates),
        ]

    async def create(self, request: web.Request) -> web.Response:
        """D1: create and dispatch a PIN."""
        by = await pin_caller(request, self._service)
        body = await json_body(request)
        wanted = structure(body, IssueRequest)

        def present(result: Any) -> Answer:
            return _sent_answer(result, 201, by)

        idempotency = idempotency_of(request, by, self._service, "POST /v1/pins", body, present)
        return present(await self._service.issuing.issue(by, wanted, idempotency)).response(
            by.request_id
        )

    async def resend(self, request: web.Request) -> web.Response:
        """D2: resend a PIN."""
        by = await pin_caller(request, self._service)
        pin_id = request.match_info["pinId"]
        body = await json_body(request)
        wanted = structure(body, ResendRequest)

        def present(result: Any) -> Answer:
            return _sent_answer(result, 200, by)

        route = f"POST /v1/pins/{pin_id}/resend"
        idempotency = idempotency_of(request, by, self._service, route, body, present)
        return present(
            await self._service.resending.resend(by, pin_id, wanted, idempotency)
        ).response(by.request_id)

    async def verify(self, request: web.Request) -> web.Response:
        """D3: verify a PIN."""
        by = await pin_caller(request, self._service)
        typed = structure(await json_body(request), VerifyRequest).pin
        verified = await self._service.verifying.verify(by, request.match_info["pinId"], typed)
        body = {
            "pinId": verified.pin_id,
            "status": verified.status,
            "attemptsRemaining": verified.attempts_remaining,
        }
        return Answer(200, encode(body)).response(by.request_id)

    async def templates(self, request: web.Request) -> web.Response:
        """D4: list templates."""
        by = await pin_caller(request, self._service)
        listed = await self._service.pin_templates.list(
            by.account_id, template_search(request), paging_of(request)
        )
        return Answer(200, list_body(listed, listed.data)).response(by.request_id)


def template_search(request: web.Request) -> TemplateSearch:
    """Read the filters of a template list; what is not allowed takes its default (C-17)."""
    query = request.query
    status = query.get("status", "")
    return TemplateSearch(
        search=query.get("search", ""),
        status=TemplateStatus(status) if status in tuple(TemplateStatus) else None,
        include_archived=query.get("includeArchived", "").lower() in ("true", "1"),
        sort_by=_SORTS.get(query.get("sortBy", ""), "created_at"),
        descending=query.get("sortDirection", "").lower() != "asc",
    )


def list_body(listed: Listed[Any], data: Sequence[Any]) -> bytes:
    """Give the list envelope of SPEC 2.8 around records."""
    return encode(
        {
            "page": listed.page,
            "pageSize": listed.page_size,
            "total": listed.total,
            "totalPages": listed.total_pages,
            "data": [each if isinstance(each, dict) else unstructure(each) for each in data],
        }
    )


def channel_result(outcome: ChannelOutcome) -> dict[str, Any]:
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
            "channels": [channel_result(outcome) for outcome in result.channels],
        }
        return Answer(status, encode(record))
    if isinstance(result, DomainError):
        return refusal_answer(result, by.request_id)
    return internal_error(by.request_id)

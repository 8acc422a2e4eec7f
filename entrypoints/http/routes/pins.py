"""The PIN service: D1 create, D2 resend, D3 verify, D4 templates."""

from __future__ import annotations

from typing import Any

from aiohttp import web

from ....application.caller import Caller
from ....application.pins.issuing_pins import IssueRequest
from ....application.pins.managing_pin_templates import TemplateSearch
from ....application.pins.resending_pins import ResendRequest
from ....application.pins.sending_pins import SentPin
from ....domain.errors import DomainError
from ...wire.codec import encode
from ...wire.pin_records import pin_record, sent_pin_record
from ...wire.searches import names_of, template_search
from ...wire.typed_requests import VerifyRequest
from ...wired import Wired
from ..answers import Answer, list_answer
from ..error_answers import internal_error, refusal_answer
from ..error_forms import Form
from ..preferences import handled_strictly
from ..request_ids import calling_about, may_show_a_number, request_id_of
from ..requests import (
    body_as,
    domains_of,
    idempotency_of,
    json_read,
    paging_of,
)
from ..route import KEY_FOR_PINS, NOTHING, PAGE, About, Route
from ..unknown_parameters import refuse_unknown_parameters


async def create(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """D1: create and dispatch a PIN."""
    body, wanted = await json_read(request, IssueRequest)
    by = calling_about(request, by, (wanted.destination,))

    def present(result: Any) -> Answer:
        return _sent_answer(result, 201, by)

    idempotency = await idempotency_of(request, by, service, "POST /v1/pins", body, present)
    return present(await service.issuing.issue(by, wanted, idempotency)).response(by.request_id)


async def get(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """Show the state of a PIN (C-90)."""
    if handled_strictly(request):
        refuse_unknown_parameters(request)
    pin_id = request.match_info["pinId"]
    by = await _calling_about_pin(service, request, by, pin_id)
    row = await service.verifications.get(by.account_id, pin_id)
    return Answer(200, encode(pin_record(row))).response(by.request_id)


async def resend(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """D2: resend a PIN."""
    pin_id = request.match_info["pinId"]
    body, wanted = await json_read(request, ResendRequest)
    by = await _calling_about_pin(service, request, by, pin_id)

    def present(result: Any) -> Answer:
        return _sent_answer(result, 200, by)

    route = f"POST /v1/pins/{pin_id}/resend"
    idempotency = await idempotency_of(request, by, service, route, body, present)
    return present(await service.resending.resend(by, pin_id, wanted, idempotency)).response(
        by.request_id
    )


async def verify(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """D3: verify a PIN."""
    pin_id = request.match_info["pinId"]
    typed = (await body_as(request, VerifyRequest)).pin
    by = await _calling_about_pin(service, request, by, pin_id)
    verified = await service.verifying.verify(by, pin_id, typed)
    body: dict[str, Any] = {
        "pinId": verified.pin_id,
        "status": verified.status,
        "attemptsRemaining": verified.attempts_remaining,
    }
    if verified.attested is not None:
        issuer = domains_of(request, service).base_url
        body["receipt"] = service.verifying.signed(verified, issuer).receipt
    return Answer(200, encode(body)).response(by.request_id)


async def receipt_keys(service: Wired, request: web.Request) -> web.Response:
    """Show the public keys of verification receipts, as a JWK Set (RFC 7517, C-83)."""
    body = encode({"keys": service.receipts.public_keys()})
    caching = {"Cache-Control": "public, max-age=300"}
    return Answer(200, body, caching).response(request_id_of(request))


async def templates(service: Wired, request: web.Request, by: Caller) -> web.Response:
    """D4: list templates."""
    listed = await service.pin_templates.list(
        by.account_id, template_search(request.query), paging_of(request)
    )
    return list_answer(listed).response(by.request_id)


async def _calling_about_pin(
    service: Wired, request: web.Request, by: Caller, pin_id: str
) -> Caller:
    """Return the caller with an id that does not show the PIN's destination (D-331)."""
    if not may_show_a_number(request):
        return calling_about(request, by, ())
    destination = await service.verifications.destination_of(by.account_id, pin_id)
    return calling_about(request, by, () if destination is None else (destination,))


def _sent_answer(result: Any, status: int, by: Caller) -> Answer:
    """Answer a send: with the PIN, with a refusal, or after an unexpected error."""
    if isinstance(result, SentPin):
        return Answer(status, encode(sent_pin_record(result)))
    if isinstance(result, DomainError):
        return refusal_answer(result, by.request_id, Form.ENVELOPE)
    return internal_error(by.request_id, Form.ENVELOPE)


_FILTERS = (*names_of(TemplateSearch), *PAGE)

PIN_ROUTES = (
    Route("GET", "/.well-known/jwks.json", receipt_keys, NOTHING, About.STORE),
    Route("POST", "/v1/pins", create, KEY_FOR_PINS, About.ACCOUNT, names_people=True),
    Route("GET", "/v1/pins/{pinId}", get, KEY_FOR_PINS, About.ACCOUNT, names_people=True),
    Route(
        "POST",
        "/v1/pins/{pinId}/resend",
        resend,
        KEY_FOR_PINS,
        About.ACCOUNT,
        names_people=True,
    ),
    Route(
        "POST",
        "/v1/pins/{pinId}/verify",
        verify,
        KEY_FOR_PINS,
        About.ACCOUNT,
        names_people=True,
    ),
    Route(
        "GET",
        "/v1/templates",
        templates,
        KEY_FOR_PINS,
        About.ACCOUNT,
        _FILTERS,
        search=TemplateSearch,
    ),
)

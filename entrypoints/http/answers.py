"""Answers: bodies and statuses, the two error forms, and the bytes that are saved for replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from aiohttp import web
from attrs import frozen

from ...application.errors import UnavailableError
from ...application.messages.hearing_providers import UnsignedError
from ...application.paging import Listed
from ...domain.api_key import UnauthorizedError
from ...domain.errors import DomainError, RetryLaterError
from .codec import encode, unstructure
from .responses import JsonResponse, head_of

REQUEST_ID = "X-Request-Id"
REPLAYED = "Idempotent-Replayed"
# Areas whose errors come in the envelope of SPEC 2.9; all others use the form of C-18.
_ENVELOPE_AREAS = ("/v1", "/admin/v1")
_SANDBOX_AREA = "/sandbox"

# The one table from refusal to status (SPEC section 7, C-8 to C-10).
STATUSES: Mapping[str, int] = {
    "validation_failed": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "pin_not_found": 404,
    "template_not_found": 404,
    "account_not_found": 404,
    "api_key_not_found": 404,
    "callback_not_found": 404,
    "channel_account_not_found": 404,
    "delivery_not_found": 404,
    "fallback_configuration_not_found": 404,
    "dlt_template_not_found": 404,
    "message_not_found": 404,
    "stream_not_found": 404,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "callback_removed": 409,
    "duplicate_name": 409,
    "idempotency_in_progress": 409,
    "pin_already_verified": 409,
    "pin_blocked": 409,
    "template_disabled": 409,
    "template_not_approved": 409,
    "template_not_submitted": 409,
    "pin_expired": 410,
    "payload_too_large": 413,
    "unsupported_media_type": 415,
    "range_not_satisfiable": 416,
    "expectation_failed": 417,
    "channel_not_configured": 422,
    "idempotency_key_reuse": 422,
    "pin_incorrect": 422,
    "rate_limited": 429,
    "resend_cooldown": 429,
    "headers_too_large": 431,
    "internal_error": 500,
    "dispatch_failed": 502,
    "unavailable": 503,
}


class ApiKeyHeaderError(UnauthorizedError):
    """No valid key in the header of the messaging endpoints (SPEC section 5, C-8)."""

    def __init__(self) -> None:
        super().__init__(
            "The key is missing or not valid. Send one that your operator made in the header apikey."
        )


# No registered scheme stands for a header of its own, nor for a provider's signature (D-43).
_CHALLENGES: Mapping[type[UnauthorizedError], str] = {
    ApiKeyHeaderError: 'ApiKey header="apikey"',
    UnsignedError: "Signature",
}


@frozen
class Answer:
    """A status, the bytes of a JSON body, and headers."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}

    def response(self, request_id: str) -> web.Response:
        """Give it as aiohttp's response."""
        return JsonResponse(self.status, self.body, {REQUEST_ID: request_id, **self.headers})

    def raw(self, request_id: str) -> bytes:
        """Give it as the last bytes of a connection on which no request was read."""
        headers = {REQUEST_ID: request_id, **self.headers}
        return head_of(self.status, len(self.body), headers) + self.body


def saved(answer: Answer, request_id: str) -> bytes:
    """Give the bytes to save for replay: status and request id ahead of the body (C-10)."""
    return encode({"status": answer.status, "requestId": request_id}) + b"\n" + answer.body


def replayed(kept: bytes) -> web.Response:
    """Give a saved answer again, byte for byte and with its own request id."""
    head, _, body = kept.partition(b"\n")
    first: dict[str, Any] = msgspec.json.decode(head)
    return Answer(first["status"], body, {REPLAYED: "true"}).response(first["requestId"])


def list_answer(listed: Listed[Any], data: Sequence[Any], **more: Any) -> Answer:
    """Give records in the list envelope of SPEC 2.8, which may say more of itself."""
    return Answer(
        200,
        encode(
            {
                "page": listed.page,
                "pageSize": listed.page_size,
                "total": listed.total,
                "totalPages": listed.total_pages,
                **more,
                "data": [each if isinstance(each, dict) else unstructure(each) for each in data],
            }
        ),
    )


def in_messaging_form(path: str, *, found: bool = True) -> bool:
    """
    Say whether errors at a path take the form of C-18.

    The sandbox's routes do not, but where none is `found` there, that path is like any other.
    """
    areas = (*_ENVELOPE_AREAS, _SANDBOX_AREA) if found else _ENVELOPE_AREAS
    return not any(path == area or path.startswith(f"{area}/") for area in areas)


def refusal_answer(refusal: DomainError, request_id: str, *, messaging: bool = False) -> Answer:
    """Give a refusal in the documented form of its area (SPEC 2.9, C-18)."""
    headers = {}
    if isinstance(refusal, RetryLaterError | UnavailableError):
        headers["Retry-After"] = str(refusal.retry_after_seconds)
    if isinstance(refusal, UnauthorizedError):
        headers["WWW-Authenticate"] = _CHALLENGES.get(type(refusal), "Bearer")
    return error_answer(
        refusal.code,
        refusal.message,
        refusal.details,
        request_id,
        headers,
        messaging=messaging,
    )


def error_answer(
    code: str,
    message: str,
    details: Mapping[str, Any],
    request_id: str,
    headers: Mapping[str, str] | None = None,
    *,
    messaging: bool = False,
) -> Answer:
    """Give an error in the PIN service's envelope, or in the messaging endpoints' form."""
    body: dict[str, Any]
    if messaging:
        body = {
            "status": "error",
            "code": code,
            "message": message,
            "errors": details.get("fields", []),
            "requestId": request_id,
        }
    else:
        body = {
            "error": {
                "code": code,
                "message": message,
                "requestId": request_id,
                "details": details,
            }
        }
    return Answer(STATUSES[code], encode(body), headers or {})


def internal_error(request_id: str, *, messaging: bool = False) -> Answer:
    """Give the answer to what should not have happened; it tells nothing of the inside."""
    return error_answer(
        "internal_error",
        "Something went wrong on our side. Try again, and name the requestId if it persists.",
        {},
        request_id,
        messaging=messaging,
    )

"""Answers: bodies and statuses, and the bytes that are saved for replay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from aiohttp import web

from ...application.errors import UnavailableError
from ...application.messages.tracking.receiving_provider_webhooks import UnsignedError
from ...application.paging import Listed
from ...domain.accounts.api_key import UnauthorizedError
from ...domain.errors import DomainError, RetryLaterError
from ..wire.codec import encode, unstructure
from .error_forms import Form, error_body
from .listener.json_response import JsonResponse, head_of

REPLAYED = "Idempotent-Replayed"

# The one table from refusal to status (SPEC section 7, C-8 to C-10); the legacy form has its own.
STATUSES: Mapping[str, int] = {
    "validation_failed": 400,
    "unauthorized": 401,
    "account_suspended": 403,
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
    "legacy_user_not_found": 404,
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
    "media_removed": 410,
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


# What `/v1` says of a missing or wrong key (SPEC section 5).
_KEY_WANTED = (
    "The key is missing or not valid. Send one that your operator made in the header"
    " Authorization: Bearer <API_KEY>."
)


class AdminTokenError(UnauthorizedError):
    """No operator's token in the header of the management routes."""

    def __init__(self) -> None:
        super().__init__(
            "The token is missing or not valid. Send the operator's in the header"
            " Authorization: Bearer <ADMIN_TOKEN>."
        )


class ApiKeyHeaderError(UnauthorizedError):
    """No valid key in the header of the messaging endpoints (SPEC section 5, C-8)."""

    def __init__(self) -> None:
        super().__init__(
            "The key is missing or not valid. Send one that your operator made in the header"
            " apikey: <API_KEY>."
        )


# No registered scheme stands for a header of its own, nor for a provider's signature (D-43).
_CHALLENGES: Mapping[type[UnauthorizedError], str] = {
    ApiKeyHeaderError: 'ApiKey header="apikey"',
    UnsignedError: "Signature",
}


class Answer(msgspec.Struct, frozen=True):
    """A status, the bytes of a JSON body, and headers."""

    status: int
    body: bytes
    headers: Mapping[str, str] = {}

    def response(self, request_id: str) -> web.Response:
        """Return it as aiohttp's response."""
        return JsonResponse(self.status, self.body, request_id, self.headers)

    def raw(self, request_id: str) -> bytes:
        """Return it as the last bytes of a connection on which no request was read."""
        return head_of(self.status, len(self.body), request_id, self.headers) + self.body


def saved(answer: Answer, request_id: str) -> bytes:
    """Return the bytes to save for replay: status and request id ahead of the body (C-10)."""
    return encode({"status": answer.status, "requestId": request_id}) + b"\n" + answer.body


def replayed(kept: bytes) -> web.Response:
    """Return a saved answer, byte for byte and with the request id of the first."""
    head, _, body = kept.partition(b"\n")
    first: dict[str, Any] = msgspec.json.decode(head)
    return Answer(first["status"], body, {REPLAYED: "true"}).response(first["requestId"])


def list_answer(listed: Listed[Any], data: Sequence[Any] | None = None, **more: Any) -> Answer:
    """Return a page, its records or the `data` that shows them, in the list envelope of SPEC 2.8."""
    shown = listed.data if data is None else data
    return Answer(
        200,
        encode(
            {
                "page": listed.page,
                "pageSize": listed.page_size,
                "total": listed.total,
                "totalPages": listed.total_pages,
                **more,
                "data": [each if isinstance(each, dict) else unstructure(each) for each in shown],
            }
        ),
    )


def page_answer(page_no: int, limit: int, data: Sequence[Any]) -> Answer:
    """Return entries in the envelope of the messaging lists, with the page as it was asked for (C-54)."""
    return Answer(200, encode({"page_details": {"pageNo": page_no, "limit": limit}, "data": data}))


def refusal_answer(refusal: DomainError, request_id: str, form: Form) -> Answer:
    """Return a refusal in the documented form of its area."""
    headers = {}
    if isinstance(refusal, RetryLaterError | UnavailableError):
        headers["Retry-After"] = str(refusal.retry_after_seconds)
    if isinstance(refusal, UnauthorizedError) and form is not Form.LEGACY:
        headers["WWW-Authenticate"] = _CHALLENGES.get(type(refusal), "Bearer")
    # Which header a key stands in is for this edge to say.
    message = _KEY_WANTED if type(refusal) is UnauthorizedError else refusal.message
    return error_answer(refusal.code, message, refusal.details, request_id, form, headers)


def error_answer(
    code: str,
    message: str,
    details: Mapping[str, Any],
    request_id: str,
    form: Form,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    """Return an error in the form of its area."""
    status = 200 if form is Form.LEGACY else STATUSES[code]
    body = error_body(form, code, message, details, request_id)
    return Answer(status, encode(body), headers or {})


def internal_error(request_id: str, form: Form) -> Answer:
    """Return the answer to an unexpected error; it says nothing about the error."""
    return error_answer(
        "internal_error",
        "Something went wrong on our side. Try again, and name the requestId if it persists.",
        {},
        request_id,
        form,
    )

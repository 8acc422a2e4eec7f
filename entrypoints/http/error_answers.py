"""Answers to refusals and errors: their status, their form, and the headers that belong to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...application.errors import UnavailableError
from ...application.messages.tracking.receiving_provider_webhooks import UnsignedError
from ...domain.accounts.api_key import UnauthorizedError
from ...domain.errors import DomainError, RetryLaterError
from ..wire.codec import encode
from .answers import Answer
from .error_forms import Form, error_body
from .statuses import STATUSES

# What `/v1` says of a missing or wrong key (SPEC section 5).
_KEY_WANTED = (
    "The key is missing or not valid. Send one that your operator made in the header"
    " Authorization: Bearer <API_KEY>."
)


class AdminTokenError(UnauthorizedError):
    """No operator's token in the header of the management routes."""

    def __init__(self) -> None:
        super().__init__(
            "The token is missing or not valid. Send an operator's in the header"
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


def refusal_answer(refusal: DomainError, request_id: str, form: Form) -> Answer:
    """Return a refusal in the documented form of its area."""
    headers = retry_after(refusal)
    if isinstance(refusal, UnauthorizedError) and form is not Form.LEGACY:
        headers["WWW-Authenticate"] = _CHALLENGES.get(type(refusal), "Bearer")
    # Which header a key stands in is for this edge to say.
    message = _KEY_WANTED if type(refusal) is UnauthorizedError else refusal.message
    return error_answer(refusal.code, message, refusal.details, request_id, form, headers)


def retry_after(refusal: DomainError) -> dict[str, str]:
    """Return the header that says when to retry; none for a refusal that does not end by itself."""
    if isinstance(refusal, RetryLaterError | UnavailableError):
        return {"Retry-After": str(refusal.retry_after_seconds)}
    return {}


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

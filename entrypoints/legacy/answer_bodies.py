"""The legacy platform's answers: a response code in the body, always with HTTP 200 (C-41)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LOGIN_PATH = "/account/enterprise/login"
SEND_PATH = "/svc/api/message/send"
RATING_PATH = "/whatsapp/chat/feedback"
LEGACY_PATHS = frozenset({LOGIN_PATH, SEND_PATH, RATING_PATH})

SUCCESS = 100
# By a refusal's documented code (D-99); an error that the request did not cause is `105`.
UPSTREAM = 105
RESPONSE_CODES: Mapping[str, int] = {
    "bad_login": 101,
    "token_invalid": 102,
    "validation_failed": 103,
    "method_not_allowed": 103,
    "request_timeout": 103,
    "payload_too_large": 103,
    "unsupported_media_type": 103,
    "expectation_failed": 103,
    "headers_too_large": 103,
    "template_not_found": 104,
    "template_not_approved": 104,
    "template_disabled": 104,
}


def success(data: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the body of a success, with its `data`."""
    return _body(SUCCESS, "Success", data)


def error(code: str, message: str, details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a refusal; its `data` names the wrong fields, or the rule of a limit."""
    fields = details.get("fields")
    data = {"fields": fields} if fields else details if "rule" in details else None
    return _body(RESPONSE_CODES.get(code, UPSTREAM), message, data)


def not_sent(message_id: str, message: str) -> dict[str, Any]:
    """Return the body for an accepted message that its provider then refused (D-104)."""
    return _body(UPSTREAM, message, {"messageId": message_id})


def _body(response_code: int, message: str, data: Mapping[str, Any] | None) -> dict[str, Any]:
    body: dict[str, Any] = {"responseCode": response_code, "message": message}
    return body if data is None else {**body, "data": data}

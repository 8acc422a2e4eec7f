"""Reads answers and errors from the bytes that came over the wire."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TypeVar

from msgspec import DecodeError, Struct, json

from .calls import Call
from .errors.base import ApiError, NoAnswerError, UnreadableAnswerError, WatchwordError
from .errors.by_code import api_error

AnswerT = TypeVar("AnswerT")
# What the media endpoints answer with HTTP 200 to a key that is missing or not valid (C-8).
_REFUSED_KEYS = (114, 115)
# Bytes that are no text, and nesting that is too deep, have errors of their own.
_UNDECODABLE = (DecodeError, UnicodeDecodeError, RecursionError)


class Answered(Struct, frozen=True):
    """An answer as it came; the names of its headers are in lower case. `body` is None if it was too long."""

    status: int
    headers: Mapping[str, str]
    body: bytes | None

    def __repr__(self) -> str:
        return f"Answered({self.status})"


def read(call: Call[AnswerT], answered: Answered | NoAnswerError) -> AnswerT | WatchwordError:
    """Return what became of an attempt: the service's answer, or the error that it ends with."""
    if isinstance(answered, NoAnswerError):
        return answered
    if answered.body is None:
        return _unreadable(answered, "is too long")
    if not 200 <= answered.status < 300:
        return _refusal(answered)
    try:
        return json.decode(answered.body, type=call.answer)
    except _UNDECODABLE:
        # Its text may quote the answer, so the error is not raised from it.
        pass
    return _refused_key(answered) or _unreadable(answered, "is not in the documented form")


def _refusal(answered: Answered) -> WatchwordError:
    body = _members(answered)
    envelope = body.get("error")
    told = envelope if isinstance(envelope, dict) else body
    message = told.get("message")
    if not isinstance(message, str) or not ("code" in told or "http_status" in told):
        return _unreadable(answered, "is not the service's")
    code = told.get("code")
    request_id = told.get("requestId")
    return api_error(
        code if isinstance(code, str) else None,
        message,
        status=answered.status,
        details=_details(told),
        request_id=request_id if isinstance(request_id, str) else _request_id(answered),
        retry_after=_retry_after(answered),
    )


def _refused_key(answered: Answered) -> ApiError | None:
    body = _members(answered)
    if body.get("code") not in _REFUSED_KEYS:
        return None
    return api_error(
        "unauthorized",
        str(body.get("message", "")),
        status=answered.status,
        details={},
        request_id=_request_id(answered),
        retry_after=None,
    )


def _members(answered: Answered) -> dict[str, object]:
    """Return the members of an answer; none if it is no JSON object."""
    try:
        body = json.decode(answered.body or b"")
    except _UNDECODABLE:
        return {}
    return body if isinstance(body, dict) else {}


def _details(told: Mapping[str, object]) -> Mapping[str, object]:
    """Return the details, with the problems of the messaging form under `fields`, as in the other (C-18)."""
    details = told.get("details")
    problems = told.get("errors")
    fields = {"fields": problems} if isinstance(problems, list) and problems else {}
    return {**fields, **details} if isinstance(details, dict) else fields


def _unreadable(answered: Answered, why: str) -> UnreadableAnswerError:
    return UnreadableAnswerError(
        f"The answer, with status {answered.status}, {why}.",
        status=answered.status,
        retry_after=_retry_after(answered),
    )


def _request_id(answered: Answered) -> str | None:
    return answered.headers.get("x-request-id")


def _retry_after(answered: Answered) -> float | None:
    """Return the seconds of Retry-After; a proxy may name a time, which counts from the answer's own Date."""
    told = answered.headers.get("retry-after")
    if told is None:
        return None
    if told.isascii() and told.isdigit():
        # More digits than a deadline can have would be no float.
        return float(told[:15])
    try:
        then = parsedate_to_datetime(told)
        now = parsedate_to_datetime(answered.headers.get("date", ""))
        return max(0.0, (then.astimezone(UTC) - now.astimezone(UTC)).total_seconds())
    except (ValueError, OverflowError):
        return None

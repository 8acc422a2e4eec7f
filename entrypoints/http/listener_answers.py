"""What the parser refuses, told without a byte of it (D-24)."""

from __future__ import annotations

import re

from aiohttp.http_exceptions import HttpProcessingError, LineTooLong

from ...domain.errors import FieldProblem, ValidationFailedError
from .answers import Answer, error_answer, refusal_answer
from .error_forms import Form, form_of

_TARGET = re.compile(rb"[A-Z]{1,20} (?:https?://[^/ ]{0,300})?(/[!-~]{0,100})")


def not_http() -> ValidationFailedError:
    """Say that a request is no HTTP/1.1."""
    return ValidationFailedError(
        [FieldProblem("request", "must have the request line, headers and framing of HTTP/1.1")]
    )


def unreadable(error: BaseException | None, opening: bytes, request_id: str) -> Answer:
    """
    Answer what the parser gave up on, in the form of the area that it seems to be meant for.

    The parser gives no path; `opening` is what the request began with.
    """
    if _is_too_large(error):
        return head_too_large(opening, request_id)
    return refusal_answer(not_http(), request_id, _form_of(opening))


def head_too_large(opening: bytes, request_id: str) -> Answer:
    """Refuse a head that is longer than is read of one (D-24)."""
    message = (
        "The request line or a header is longer than 8190 bytes, there are more than 128 headers,"
        " or the head is longer than 64 KiB. Send less."
    )
    return error_answer("headers_too_large", message, {}, request_id, _form_of(opening))


def _form_of(opening: bytes) -> Form:
    found = _TARGET.match(opening)
    return form_of(found[1].decode().partition("?")[0] if found else "/")


def _is_too_large(error: BaseException | None) -> bool:
    # The parser has no kind of its own for too many headers.
    return isinstance(error, LineTooLong) or (
        isinstance(error, HttpProcessingError) and error.message.startswith("Too many headers")
    )

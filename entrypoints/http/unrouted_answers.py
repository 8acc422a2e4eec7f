"""What a listener answers where no route does, without a byte of the request (D-24, D-142)."""

from __future__ import annotations

import re

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError, LineTooLong

from ...domain.errors import FieldProblem, ValidationFailedError
from .answers import Answer
from .error_answers import error_answer, internal_error, refusal_answer
from .error_forms import Form, form_of
from .listener.open_connections import Admission

_TARGET = re.compile(rb"[A-Z]{1,20} (?:https?://[^/ ]{0,300})?(/[!-~]{0,100})")
_NO_ROOM = {
    Admission.NO_ROOM: "There are too many connections. Try again in 1 s.",
    Admission.NO_MORE_FOR_CLIENT: (
        "There are too many connections from this address. Close some, or try again in 1 s."
    ),
}


class UnroutedAnswers:
    """A listener's own answers, in the form of the area that a request seems to be meant for."""

    def no_room(self, admission: Admission, request_id: str) -> bytes:
        """Refuse a connection (D-142)."""
        message = _NO_ROOM[admission]
        again = {"Retry-After": "1"}
        full = error_answer("unavailable", message, {}, request_id, Form.ENVELOPE, again)
        return full.raw(request_id)

    def head_too_large(self, opening: bytes, request_id: str) -> bytes:
        """Refuse a head that is longer than is read of one (D-24)."""
        return _head_too_large(opening, request_id).raw(request_id)

    def unreadable(
        self, error: BaseException | None, opening: bytes, request_id: str
    ) -> web.Response:
        """
        Answer what the parser refused.

        The parser names no path; `opening` is what the request began with.
        """
        if _is_too_large(error):
            answer = _head_too_large(opening, request_id)
        else:
            answer = refusal_answer(not_http(), request_id, _form_of(opening))
        return answer.response(request_id)

    def failed(self, path: str, request_id: str) -> web.Response:
        """Answer a request that failed outside every route."""
        return internal_error(request_id, form_of(path)).response(request_id)


def not_http() -> ValidationFailedError:
    """Return the refusal of a request that is no HTTP/1.1."""
    return ValidationFailedError(
        [FieldProblem("request", "must have the request line, headers and framing of HTTP/1.1")]
    )


def _head_too_large(opening: bytes, request_id: str) -> Answer:
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

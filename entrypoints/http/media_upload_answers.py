"""What the media endpoints answer (SPEC 2.5, section 7, C-8, C-58): the words of their table."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from ...application.errors import UnavailableError
from ...application.media.receiving_media import TooManyUploadsError
from ...application.media.views import MediaView
from ...domain.accounts.api_key import UnauthorizedError
from ...domain.errors import DomainError, ValidationFailedError
from ..wire.codec import encode
from .answers import Answer
from .error_forms import rule_details

UPLOAD = "/rcs/mediaupload"
METHOD_NOT_ALLOWED = "Method Not Allowed"
UNAVAILABLE = "Upstream service unavailable"
UNKNOWN = "Internal server error - unexpected arguments"


class MediaKeyError(UnauthorizedError):
    """No valid key, answered with HTTP 200 (SPEC section 5, C-8)."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


def no_key() -> MediaKeyError:
    """Refuse a request without a key."""
    return MediaKeyError(114, "NO VALID AUTH_KEY FOUND")


def wrong_key() -> MediaKeyError:
    """Refuse a key that is not valid."""
    return MediaKeyError(115, "AUTHENTICATION FAILURE")


def in_media_form(path: str) -> bool:
    """Return whether errors at a path take the form of A3 (C-58)."""
    return path == UPLOAD


def stored_answer(stored: MediaView, url: str | None = None) -> Answer:
    """Return the media upload result of SPEC 2.5, with a `url` if one is given."""
    address = {} if url is None else {"service_media_url": url}
    return Answer(
        200, encode({"id": stored.id, "status": "success", "http_status": 200, **address})
    )


def media_key_answer(refusal: MediaKeyError) -> Answer:
    """Return the refusal of a request without a valid key."""
    return Answer(200, encode({"code": refusal.number, "message": refusal.message}))


def media_failure(
    status: int, refusal: DomainError | None = None, headers: Mapping[str, str] | None = None
) -> Answer:
    """Return a failure in the form of A3: of a refusal, or of an unexpected error."""
    body = {"status": "error", "http_status": status, "message": _words(status, refusal)}
    if refusal is not None:
        body |= rule_details(refusal.details)
    return Answer(status, encode(body), headers or {})


def _words(status: int, refusal: DomainError | None) -> str:
    match refusal:
        case None:
            return UNKNOWN
        case UnavailableError() | TooManyUploadsError():
            return UNAVAILABLE
        case ValidationFailedError():
            return "; ".join(f"{each.path} {each.message}" for each in refusal.problems)
        case _ if status == HTTPStatus.METHOD_NOT_ALLOWED:
            return METHOD_NOT_ALLOWED
        case _:
            return refusal.message

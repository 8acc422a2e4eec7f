"""Which class of error stands for which code, and which code for a status whose answer names none."""

from __future__ import annotations

from collections.abc import Mapping

from . import management, refusals
from .base import ApiError

_MODULES = (refusals, management)
ERROR_CLASSES: Mapping[str, type[ApiError]] = {
    each.documented_code: each
    for module in _MODULES
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, ApiError) and each.documented_code is not None
}

# The media endpoints answer a status and a text alone (C-58).
CODES_OF_STATUSES = {
    400: "validation_failed",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    413: "payload_too_large",
    415: "unsupported_media_type",
    417: "expectation_failed",
    429: "rate_limited",
    500: "internal_error",
    503: "unavailable",
}


def api_error(
    code: str | None,
    message: str,
    *,
    status: int,
    details: Mapping[str, object],
    request_id: str | None,
    retry_after: float | None,
) -> ApiError:
    """Make the error for a code, or for a status that came without one."""
    named = code or CODES_OF_STATUSES.get(status, "")
    error_class = ERROR_CLASSES.get(named, ApiError)
    return error_class(
        message,
        code=named,
        status=status,
        details=details,
        request_id=request_id,
        retry_after=retry_after,
    )

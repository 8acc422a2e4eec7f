"""The forms in which areas say what went wrong (SPEC 2.9, C-18, C-41)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

from ..legacy import answer_bodies

# Areas whose errors come in the envelope of SPEC 2.9.
_ENVELOPE_AREAS = ("/v1", "/admin/v1")
_SANDBOX_AREA = "/sandbox"


class Form(Enum):
    """What an error looks like: SPEC 2.9's envelope, that of C-18, or that of C-41."""

    ENVELOPE = auto()
    MESSAGING = auto()
    LEGACY = auto()


def form_of(path: str, *, found: bool = True) -> Form:
    """
    Return the form of the errors at a path.

    Outside the areas of the envelope, a path where nothing is `found` takes the form of C-18: so does
    the sandbox's outside a sandbox, and the legacy platform's where that has a port of its own.
    """
    if found and path in answer_bodies.LEGACY_PATHS:
        return Form.LEGACY
    areas = (*_ENVELOPE_AREAS, _SANDBOX_AREA) if found else _ENVELOPE_AREAS
    if any(path == area or path.startswith(f"{area}/") for area in areas):
        return Form.ENVELOPE
    return Form.MESSAGING


def error_body(
    form: Form, code: str, message: str, details: Mapping[str, Any], request_id: str
) -> dict[str, Any]:
    """Return the body of an error."""
    match form:
        case Form.ENVELOPE:
            error = {
                "code": code,
                "message": message,
                "requestId": request_id,
                "details": details,
            }
            return {"error": error}
        case Form.MESSAGING:
            return {
                "status": "error",
                "code": code,
                "message": message,
                "errors": details.get("fields", []),
                "requestId": request_id,
                **rule_details(details),
            }
        case Form.LEGACY:
            return answer_bodies.error(code, message, details)


def rule_details(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the member that names the limit which a request met, in forms that have no details (C-94)."""
    return {"details": details} if "rule" in details else {}

"""The details of refusals by code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

from tools.openapi.schemas import Count, an_object, narrowed, reference, words
from tools.openapi.types.pins import RejectedChannel
from watchword.domain.channel import PinChannel
from watchword.domain.errors import RATE_RULES
from watchword.entrypoints.http.error_forms import Form
from watchword.entrypoints.http.statuses import STATUSES


class FieldProblem(TypedDict):
    """A wrong field."""

    field: str
    message: str


class WrongFields(TypedDict):
    """All wrong fields."""

    fields: list[FieldProblem]


class RetryDetails(TypedDict):
    """The time after which to try again."""

    retryAfterSeconds: int


class RateDetails(RetryDetails):
    """The same, with the limit that was reached."""

    rule: str


class NotAllowedDetails(TypedDict):
    """The rule of the guard that refuses a destination."""

    rule: Literal["numbers", "countries"]


class ExpiredDetails(TypedDict):
    """The reason why a code cannot be verified any more."""

    reason: Literal["expired", "superseded", "erased"]


class WrongPinDetails(TypedDict):
    """The attempts that remain after a wrong code."""

    pinId: str
    status: Literal["PENDING"]
    attemptsRemaining: Count
    lastGuess: NotRequired[bool]


class NotConfiguredDetails(TypedDict):
    """The channel that a template lacks, and those that it has."""

    channel: PinChannel
    configured: list[PinChannel]


class NotDispatchedDetails(TypedDict):
    """The outcomes of a code that no channel is known to have accepted."""

    pinId: NotRequired[str]
    channels: list[RejectedChannel]


class ForkDetails(TypedDict):
    """The head that the log does not extend."""

    origin: str
    size: int


class DamageDetails(TypedDict):
    """Where the log is damaged."""

    position: int


class NoDetails(TypedDict):
    """An empty object."""


_SECONDS = {"type": "integer", "minimum": 1}
# The schema of the details, for codes with details.
DETAILS: Mapping[str, str] = {
    "validation_failed": "WrongFields",
    "idempotency_in_progress": "RetryDetails",
    "resend_cooldown": "RetryDetails",
    "rate_limited": "RateDetails",
    "destination_not_allowed": "NotAllowedDetails",
    "pin_expired": "ExpiredDetails",
    "pin_incorrect": "WrongPinDetails",
    "channel_not_configured": "NotConfiguredDetails",
    "dispatch_failed": "NotDispatchedDetails",
    "log_forked": "ForkDetails",
    "log_damaged": "DamageDetails",
}


def error_name(code: str, form: Form) -> str:
    """Return the name of the schema of a refusal in the form of an area."""
    outside = "" if form is Form.ENVELOPE else "Outside"
    return f"{pascal(code)}{outside}Error"


def pascal(code: str) -> str:
    """Return a code in the spelling of schema names."""
    return code.title().replace("_", "")


_MESSAGE = {"type": "string", "description": "For people; not to be parsed."}
_REQUEST_ID = {"type": "string", "description": "Equals X-Request-Id."}


def _envelope(code: str) -> Mapping[str, Any]:
    inside = an_object(
        {
            "code": {"const": code},
            "message": _MESSAGE,
            "requestId": _REQUEST_ID,
            "details": reference(DETAILS.get(code, "NoDetails")),
        }
    )
    return {
        f"{pascal(code)}Refusal": inside,
        error_name(code, Form.ENVELOPE): an_object({"error": reference(f"{pascal(code)}Refusal")}),
    }


def _outside(code: str) -> Mapping[str, Any]:
    wrong: dict[str, Any] = {"type": "array", "items": reference("FieldProblem")}
    wrong |= {"minItems": 1} if code == "validation_failed" else {"maxItems": 0}
    limit = {"details": reference("RateDetails")} if code == "rate_limited" else {}
    schema = an_object(
        {
            "status": {"const": "error"},
            "code": {"const": code},
            "message": {"type": "string"},
            "errors": wrong,
            "requestId": {"type": "string"},
            **limit,
        }
    )
    return {error_name(code, Form.MESSAGING): schema}


NAMED: Mapping[str, Any] = {
    "FieldProblem": FieldProblem,
    "WrongFields": WrongFields,
    "RetryDetails": narrowed(RetryDetails, retryAfterSeconds=_SECONDS),
    "RateDetails": narrowed(RateDetails, retryAfterSeconds=_SECONDS, rule=words(RATE_RULES)),
    "NotAllowedDetails": NotAllowedDetails,
    "ExpiredDetails": ExpiredDetails,
    "WrongPinDetails": WrongPinDetails,
    "NotConfiguredDetails": NotConfiguredDetails,
    "NotDispatchedDetails": NotDispatchedDetails,
    "ForkDetails": ForkDetails,
    "DamageDetails": DamageDetails,
    "NoDetails": NoDetails,
    **{name: schema for code in STATUSES for name, schema in _envelope(code).items()},
    **{name: schema for code in STATUSES for name, schema in _outside(code).items()},
}

"""A class for each code that an API key's calls may be refused with."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from .base import ApiError


class FieldProblem(Struct, frozen=True):
    """A fault in one member of a request, by its path."""

    field: str
    message: str


class ValidationFailedError(ApiError):
    """The request is not valid (400); `fields` says where."""

    documented_code = "validation_failed"

    @property
    def fields(self) -> tuple[FieldProblem, ...]:
        """All problems, by the paths of their members."""
        listed = self.details.get("fields")
        entries = listed if isinstance(listed, list) else []
        return tuple(
            FieldProblem(str(each.get("field", "")), str(each.get("message", "")))
            for each in entries
            if isinstance(each, Mapping)
        )


class UnauthorizedError(ApiError):
    """The API key is missing, unknown, revoked or expired (401)."""

    documented_code = "unauthorized"


class AccountSuspendedError(ApiError):
    """The operator suspended the account (403)."""

    documented_code = "account_suspended"


class DestinationNotAllowedError(ApiError):
    """The account's guard refuses this destination (403)."""

    documented_code = "destination_not_allowed"


class ForbiddenError(ApiError):
    """The API key lacks the scope for this call (403)."""

    documented_code = "forbidden"


class NotFoundError(ApiError):
    """Nothing is at this path (404): look at the base URL."""

    documented_code = "not_found"


class PinNotFoundError(ApiError):
    """The account has no such PIN (404)."""

    documented_code = "pin_not_found"


class TemplateNotFoundError(ApiError):
    """The account has no such template (404)."""

    documented_code = "template_not_found"


class MethodNotAllowedError(ApiError):
    """The path does not take this method (405)."""

    documented_code = "method_not_allowed"


class RequestTimeoutError(ApiError):
    """The body came too slowly, so the service did nothing (408)."""

    documented_code = "request_timeout"


class DuplicateNameError(ApiError):
    """Another template has this name (409)."""

    documented_code = "duplicate_name"


class IdempotencyInProgressError(ApiError):
    """A call under the same Idempotency-Key is still in flight (409)."""

    documented_code = "idempotency_in_progress"


class PinAlreadyVerifiedError(ApiError):
    """The PIN was verified before (409)."""

    documented_code = "pin_already_verified"


class PinBlockedError(ApiError):
    """All guesses are used up (409): issue a new PIN."""

    documented_code = "pin_blocked"


class TemplateDisabledError(ApiError):
    """The template is disabled or archived (409)."""

    documented_code = "template_disabled"


class TemplateNotApprovedError(ApiError):
    """The message template is not approved (409)."""

    documented_code = "template_not_approved"


class MediaRemovedError(ApiError):
    """The file was removed (410)."""

    documented_code = "media_removed"


class PinExpiredError(ApiError):
    """The code is no longer valid (410): offer to resend it."""

    documented_code = "pin_expired"

    @property
    def reason(self) -> str | None:
        """Why: `expired`, `superseded` by a newer code, or `erased` with the person."""
        reason = self.details.get("reason")
        return reason if isinstance(reason, str) else None


class PayloadTooLargeError(ApiError):
    """The body is larger than the service takes (413)."""

    documented_code = "payload_too_large"


class UnsupportedMediaTypeError(ApiError):
    """The body has another content type than the path takes (415)."""

    documented_code = "unsupported_media_type"


class ChannelNotConfiguredError(ApiError):
    """The template has no such channel (422)."""

    documented_code = "channel_not_configured"


class IdempotencyKeyReuseError(ApiError):
    """The Idempotency-Key was used for another request (422)."""

    documented_code = "idempotency_key_reuse"


class PinIncorrectError(ApiError):
    """The code is wrong (422)."""

    documented_code = "pin_incorrect"

    @property
    def attempts_remaining(self) -> int | None:
        """How many wrong guesses are left before the next one blocks the PIN."""
        return self._detail("attemptsRemaining", int)


class RateLimitedError(ApiError):
    """Too many of these calls (429); `rule` names the limit."""

    documented_code = "rate_limited"

    @property
    def rule(self) -> str | None:
        """The limit, such as `phone_number`, `template` or `verify`."""
        rule = self.details.get("rule")
        return rule if isinstance(rule, str) else None


class ResendCooldownError(ApiError):
    """It is too early to resend (429); `retry_after` says how long to wait."""

    documented_code = "resend_cooldown"


class InternalError(ApiError):
    """The service failed unexpectedly (500); tell its operator the `request_id`."""

    documented_code = "internal_error"


class DispatchFailedError(ApiError):
    """
    No channel took the code (502).

    With a `pin_id`, nobody knows whether the code arrived, and that PIN can be verified or resent (C-68).
    """

    documented_code = "dispatch_failed"

    @property
    def pin_id(self) -> str | None:
        """The PIN, if its code may have arrived."""
        pin_id = self.details.get("pinId")
        return pin_id if isinstance(pin_id, str) else None


class UnavailableError(ApiError):
    """The service cannot answer now (503); nothing is known of what it did."""

    documented_code = "unavailable"

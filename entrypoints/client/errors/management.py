"""A class for each documented code that the calls of an API key do not meet, but that its text may name."""

from __future__ import annotations

from .base import ApiError


class AccountNotFoundError(ApiError):
    """There is no such account (404)."""

    documented_code = "account_not_found"


class ApiKeyNotFoundError(ApiError):
    """There is no such API key (404)."""

    documented_code = "api_key_not_found"


class CallbackNotFoundError(ApiError):
    """There is no such callback endpoint (404)."""

    documented_code = "callback_not_found"


class ChannelAccountNotFoundError(ApiError):
    """There is no such channel account (404)."""

    documented_code = "channel_account_not_found"


class DeliveryNotFoundError(ApiError):
    """There is no such delivery (404)."""

    documented_code = "delivery_not_found"


class FallbackConfigurationNotFoundError(ApiError):
    """There is no such fallback configuration (404)."""

    documented_code = "fallback_configuration_not_found"


class DltTemplateNotFoundError(ApiError):
    """There is no such DLT template (404)."""

    documented_code = "dlt_template_not_found"


class LegacyUserNotFoundError(ApiError):
    """There is no such user of the legacy platform (404)."""

    documented_code = "legacy_user_not_found"


class MessageNotFoundError(ApiError):
    """There is no such message (404)."""

    documented_code = "message_not_found"


class PersonNotFoundError(ApiError):
    """There is no such person (404)."""

    documented_code = "person_not_found"


class StreamNotFoundError(ApiError):
    """There is no such stream of events (404)."""

    documented_code = "stream_not_found"


class TestDestinationNotFoundError(ApiError):
    """There is no such test destination (404)."""

    # Its name would make pytest collect it.
    __test__ = False
    documented_code = "test_destination_not_found"


class TokenNotFoundError(ApiError):
    """There is no such token (404)."""

    documented_code = "token_not_found"


class CallbackRemovedError(ApiError):
    """The callback endpoint was removed (409)."""

    documented_code = "callback_removed"


class DestinationInUseError(ApiError):
    """The destination verified for real before (409)."""

    documented_code = "destination_in_use"


class HeadsOutOfReachError(ApiError):
    """The signed heads of the log are out of reach (409)."""

    documented_code = "heads_out_of_reach"


class LogDamagedError(ApiError):
    """The log is damaged (409)."""

    documented_code = "log_damaged"


class LogForkedError(ApiError):
    """The log does not extend a head that was signed (409)."""

    documented_code = "log_forked"


class LogKeyMissingError(ApiError):
    """The service has no key to sign its log with (409)."""

    documented_code = "log_key_missing"


class LogNotSealedError(ApiError):
    """The log is not sealed so far (409)."""

    documented_code = "log_not_sealed"


class TemplateNotSubmittableError(ApiError):
    """The template cannot be submitted as it stands (409)."""

    documented_code = "template_not_submittable"


class TemplateNotSubmittedError(ApiError):
    """The template was not submitted yet (409)."""

    documented_code = "template_not_submitted"


class RangeNotSatisfiableError(ApiError):
    """The file has no such range of bytes (416)."""

    documented_code = "range_not_satisfiable"


class ExpectationFailedError(ApiError):
    """The service does not know this expectation (417)."""

    documented_code = "expectation_failed"


class HeadersTooLargeError(ApiError):
    """The headers are larger than the service takes (431)."""

    documented_code = "headers_too_large"

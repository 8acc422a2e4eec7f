"""Refusals that come from running the service, not from the domain."""

from __future__ import annotations

from datetime import timedelta

from ..domain.errors import DomainError, NotFoundError, RetryLaterError, camel


class UnavailableError(DomainError):
    """The store is out of reach, full or too slow, or a race took too long (C-9, C-14)."""

    code = "unavailable"
    retry_after_seconds = 1

    def __init__(self) -> None:
        super().__init__("The service cannot answer for this right now. Try again in a moment.")


class IdempotencyInProgressError(RetryLaterError):
    """A request with the same Idempotency-Key is still under way (C-10)."""

    code = "idempotency_in_progress"

    def __init__(self, retry_after: timedelta) -> None:
        super().__init__("A request with this Idempotency-Key is still under way.", retry_after)


class IdempotencyKeyReuseError(DomainError):
    """The same Idempotency-Key came with another body (C-10)."""

    code = "idempotency_key_reuse"

    def __init__(self) -> None:
        super().__init__("This Idempotency-Key was used with another body. Use a new key.")


class UnexpectedError(DomainError):
    """An unexpected failure; the saved answer of such a request repeats it."""

    code = "internal_error"

    def __init__(self) -> None:
        super().__init__("Something went wrong on our side. Try again with a new key.")


class StreamNotFoundError(NotFoundError):
    """No stream has this id."""

    code = "stream_not_found"

    def __init__(self) -> None:
        super().__init__(f"No stream has this id. A PIN's stream is its {camel('pin_id')}.")

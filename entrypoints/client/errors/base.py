"""The base of all errors of the client, and those of calls without a readable answer."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

_NOTHING: Mapping[str, object] = MappingProxyType({})


class WatchwordError(Exception):
    """The base of what a call raises. No message or attribute of an error has the API key."""


class ApiError(WatchwordError):
    """
    A refusal or failure that the service answered.

    There is a class for each documented `code`. A code that this client does not know is an `ApiError`
    itself. `retry_after` is in seconds, if the service named a time.
    """

    documented_code: ClassVar[str | None] = None

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        status: int = 0,
        details: Mapping[str, object] = _NOTHING,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = self.documented_code or code
        self.status = status
        # A copy, as the default cannot be pickled.
        self.details: Mapping[str, object] = dict(details)
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        traced = f" [request {self.request_id}]" if self.request_id else ""
        return f"{self.code}: {self.message}{traced}"

    def _detail(self, name: str, kind: type[int]) -> int | None:
        value = self.details.get(name)
        return value if isinstance(value, kind) else None


class NoAnswerError(WatchwordError):
    """No answer came within the time of the call."""


class UnreachableError(NoAnswerError):
    """No connection to the service: it did nothing."""


class AnswerLostError(NoAnswerError):
    """The request went out and no answer came: the service may have done what it was asked, or not."""


class UnreadableAnswerError(WatchwordError):
    """
    The answer is not one of the service's: a proxy's page, a redirect, too long, or no JSON.

    If `status` is 2xx, the service did what it was asked.
    """

    # A status that is left out is the pickle's, which sets the attributes after the message.
    def __init__(self, message: str, *, status: int = 0, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after

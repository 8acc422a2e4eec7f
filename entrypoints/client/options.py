"""The settings of a client, checked once."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from msgspec import Struct

from .calls import AnswerT, Call
from .retrying import Attempts, Pace

_KEY = re.compile(r"[!-~]{1,512}")
_NO_URL = re.compile(r"[\x00-\x20\x7f]")
# `Authorization: Bearer` under /v1, and `apikey` on the messaging endpoints (SPEC section 5).
_PIN_SERVICE = "/v1/"


class ApiKey(Struct, frozen=True):
    """An API key, which no repr shows."""

    text: str

    def __repr__(self) -> str:
        return "ApiKey(***)"

    def headers(self, path: str) -> dict[str, str]:
        """Return the header in which the key goes to a path."""
        if path.startswith(_PIN_SERVICE):
            return {"Authorization": f"Bearer {self.text}"}
        return {"apikey": self.text}


class Options(Struct, frozen=True):
    """The settings of a client: its service and key, its pace, its bounds, and its ports."""

    url: str
    api_key: ApiKey
    pace: Pace
    max_answer_bytes: int
    clock: Callable[[], float]
    random: Callable[[], float]
    new_key: Callable[[], str]

    def __repr__(self) -> str:
        return f"Options({self.url!r})"

    def attempts(self, call: Call[AnswerT], timeout: float | None) -> Attempts:
        """Begin a call: its first attempt, under the deadline of the call or of the client."""
        pace = self.pace if timeout is None else _within(self.pace, timeout)
        return Attempts(call.again, pace, self.clock, self.random)


def checked_url(url: str) -> str:
    """Return the base URL without a slash at its end; raise `ValueError` if it is not valid."""
    try:
        parts = urlsplit(url)
        # Each raises `ValueError`: an invalid port, and a name that no resolver accepts.
        _ = parts.port, (parts.hostname or "").encode("idna")
    except ValueError:
        raise ValueError("url must have a valid host and a valid port.") from None
    if _NO_URL.search(url):
        raise ValueError("url must have no blanks and no control characters.")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("url must be an http or https address.")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("url must have no user, no query and no fragment.")
    return url.rstrip("/")


def checked_key(api_key: str) -> ApiKey:
    """Return the key; raise `ValueError`, without its text, if it is not valid."""
    if _KEY.fullmatch(api_key) is None:
        raise ValueError("api_key must be visible ASCII characters without blanks.")
    return ApiKey(api_key)


def checked_size(max_answer_bytes: int) -> int:
    """Return the largest size of an answer in bytes; raise `ValueError` below 1."""
    # Written with "not", here and below, because every comparison with NaN is false.
    if not max_answer_bytes >= 1:
        raise ValueError("max_answer_bytes must be at least 1.")
    return max_answer_bytes


def checked_pace(timeout: float, attempt_timeout: float, attempts: int) -> Pace:
    """Return the pace; raise `ValueError` for times or attempts that are not above zero."""
    if not attempt_timeout > 0 or not attempts >= 1:
        raise ValueError("attempt_timeout must be above zero, and attempts at least 1.")
    return _within(Pace(timeout, attempt_timeout, attempts), timeout)


def _within(pace: Pace, timeout: float) -> Pace:
    if not timeout > 0:
        raise ValueError("timeout must be above zero.")
    return Pace(timeout, pace.attempt_timeout, pace.attempts, pace.first_pause, pace.longest_pause)

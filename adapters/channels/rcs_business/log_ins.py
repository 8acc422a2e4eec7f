"""Log in by a service account: a signed assertion becomes an access token (C-63)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

from yarl import URL

from ....application.ports.channels import Fault
from ...never_repeated import RequestCutError
from ..http_client.exchanges import Answer, Request
from ..http_client.failures import NotSentError
from ..http_client.reading_answers import object_of
from .access_tokens import AccessToken
from .service_accounts import ServiceAccount

# The rest of a call's time is the request's own.
LOG_IN_SECONDS = 4.0
_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_LONGEST_TOKEN = 8_192
# Google's tokens are good for an hour; one that does not say so is used for less.
_DEFAULT_SECONDS, _MOST_SECONDS = 300.0, 43_200.0
_REFUSED = (
    "Google did not accept the service account. Check that it and its key still exist, and that this"
    " machine's clock is right."
)

# Sends a request of the service account's connections.
Call = Callable[[str, Request], Awaitable[Answer]]


class LogIns:
    """Logs in at the address that the service account names; every failure is a `NotSentError`."""

    def __init__(
        self,
        call: Call,
        now: Callable[[], float] = time.time,
        seconds: float = LOG_IN_SECONDS,
    ) -> None:
        self._call = call
        self._now = now
        self._seconds = seconds

    async def token_of(self, account: ServiceAccount) -> AccessToken:
        """Return a new token; nothing of a message was written when this raises `NotSentError`."""
        body = urlencode({"grant_type": _GRANT, "assertion": account.assertion(self._now())})
        request = Request(
            method="POST",
            url=URL(account.token_uri, encoded=True),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
            body=body.encode(),
        )
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._call(account.token_uri, request)
        except RequestCutError:
            raise _away("log_in_cut", "The connection was cut during the log-in.") from None
        except TimeoutError:
            words = f"The log-in had no answer within {self._seconds:g} s."
            raise _away("log_in_timeout", words) from None
        return _token_in(answer)


def _token_in(answer: Answer) -> AccessToken:
    match answer.status:
        case 200:
            members = object_of(answer)
            value = members.get("access_token")
            if isinstance(value, str) and _is_token(value):
                return AccessToken(value, _seconds(members.get("expires_in")))
            raise _away("log_in_unreadable", "The answer to the log-in has no access token.")
        case 429 | 503:
            words = "Google takes no more log-ins now. Try again later."
            raise NotSentError("log_in_busy", words, Fault.BUSY)
        case status if 400 <= status < 500:
            raise NotSentError("log_in_refused", _REFUSED, Fault.ACCOUNT)
        case status:
            raise _away("log_in_failed", f"The log-in was answered with {status}.")


def _is_token(value: str) -> bool:
    """Return whether a text can stand in a header."""
    return 1 <= len(value) <= _LONGEST_TOKEN and value.isascii() and value.isprintable()


def _seconds(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or given <= 0:
        return _DEFAULT_SECONDS
    return float(min(given, _MOST_SECONDS))


def _away(code: str, words: str) -> NotSentError:
    return NotSentError(code, words, Fault.AWAY)

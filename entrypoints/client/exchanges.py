"""Requests and errors of httpx2, for both connections."""

from __future__ import annotations

import httpx2

from .calls import AnswerT
from .errors.base import AnswerLostError, NoAnswerError, UnreachableError
from .options import Options
from .requests import Prepared

# Attempts that end so have not sent the request.
_UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
# An encoded answer could grow without bounds while it is decoded.
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity", "User-Agent": "watchword"}


def request_of(
    http: httpx2.Client | httpx2.AsyncClient,
    options: Options,
    prepared: Prepared[AnswerT],
    seconds: float,
) -> httpx2.Request:
    """Make the request of an attempt, whose every wait takes at most so many seconds."""
    request = http.build_request(
        prepared.call.method,
        options.url + prepared.path,
        headers={**_HEADERS, **prepared.headers},
        content=prepared.body,
        files=prepared.multipart(),
        timeout=seconds,
    )
    # No variable holds the key: tracebacks that show variables would show it.
    request.headers.update(options.api_key.headers(prepared.call.path))
    return request


def no_answer(error: httpx2.RequestError | TimeoutError) -> NoAnswerError:
    """
    Return what the failure of an attempt means for the caller.

    The text of an error may quote headers, so only its kind is named (D-534).
    """
    kind = type(error).__name__
    if isinstance(error, _UNSENT):
        return UnreachableError(f"The service could not be reached ({kind}).")
    return AnswerLostError(f"No answer came ({kind}).")

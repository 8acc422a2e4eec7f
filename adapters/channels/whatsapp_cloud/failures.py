"""The outcomes of calls that brought no answer (C-68)."""

from __future__ import annotations

from ....application.ports.channels import Rejected, Unknown
from ....domain.channel import PROVIDER_TIMEOUT
from ...never_repeated import RequestCutError
from ..http_client.failures import NotSentError


def failure(error: NotSentError | RequestCutError | TimeoutError, done: str) -> Rejected | Unknown:
    """Return the outcome of a call; `done` is what Meta may have done, such as "took the message"."""
    if isinstance(error, NotSentError):
        return Rejected(f"whatsapp_{error.code}", error.words, error.fault)
    if isinstance(error, TimeoutError):
        words = f"Meta did not answer in time; nobody knows whether it {done}."
        return Unknown(PROVIDER_TIMEOUT, words)
    words = f"The connection was cut after the request began; nobody knows whether Meta {done}."
    return Unknown(message=words)

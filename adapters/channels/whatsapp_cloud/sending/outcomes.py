"""The outcome of a send, from Meta's answer (C-68)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .....application.ports.channels import Accepted, Fault, Rejected, Unknown
from ...http_client.exchanges import Answer
from ...http_client.reading_answers import (
    FAULTS_BY_STATUS,
    is_refusal,
    object_of,
    retry_after,
)
from ...ids import id_in
from ...quotations import quotes
from ..faults import REFUSED_BY_SERVER, UNKNOWN, advice, fault_of
from ..graph import GraphError, error_in
from ..words import Said, explained

# A shorter one, such as a verifyToken of an operator's choice, may stand in an id by chance.
_LEAST_SECRET = 8
# Meta names what it does not find; without that, it is another server, which the `baseUrl` names.
_NOT_META = {404: Fault.ACCOUNT, 405: Fault.ACCOUNT}
# What Meta may have done when a call brings no answer.
TOOK_IT = "took the message"
_NO_ID = Unknown(message="Meta's answer has no id of the message; nobody knows whether it took it.")
_QUOTED_ID = Unknown(message="Meta's answer has a text of the message in the place of its id.")


def outcome(answer: Answer, said: Said) -> Accepted | Rejected | Unknown:
    """Return the outcome that the answer to a send means."""
    if not 200 <= answer.status < 300:
        return refusal(answer, said)
    found = _id_in(object_of(answer))
    if found is None:
        return _NO_ID
    secrets = (each for each in said.secrets if len(each) >= _LEAST_SECRET)
    if any(quotes(found, each) for each in (*said.texts, *secrets)):
        return _QUOTED_ID
    # A message that is held or paused has its id, too: a webhook says what became of it (D-279).
    return Accepted(found)


def refusal(answer: Answer, said: Said) -> Rejected | Unknown:
    """Return what an answer that is no success means."""
    error, status = error_in(answer), answer.status
    number = None if error is None else error.code
    if number in UNKNOWN:
        words = f"Meta answered the error {number}, and does not know what became of it."
        return Unknown(message=words)
    if not (is_refusal(status) or number in REFUSED_BY_SERVER):
        return Unknown(message=f"Meta answered {status}; nobody knows whether it {TOOK_IT}.")
    fault = _NOT_META.get(status) if error is None else fault_of(error)
    fault = fault or FAULTS_BY_STATUS.get(status, Fault.CONTENT)
    if said.destination is None and fault in (Fault.CONTENT, Fault.RECIPIENT):
        # A log-in has no message that could be at fault.
        fault = Fault.ACCOUNT
    code = f"whatsapp_http_{status}" if number is None else f"whatsapp_{number}"
    wait = retry_after(answer.headers) if fault is Fault.BUSY else None
    return Rejected(code, _words(status, error, fault, said), fault, wait)


def _words(status: int, error: GraphError | None, fault: Fault, said: Said) -> str:
    if error is None:
        return f"Meta refused (status {status}). {advice(fault)}"
    explanation = explained(error, said)
    begin = f"Meta refused (error {error.code}){': ' if explanation else ''}{explanation}"
    return f"{begin}. {advice(fault, error.code)}"


def _id_in(document: Mapping[str, Any]) -> str | None:
    messages = document.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    return id_in(first.get("id")) if isinstance(first, dict) else None
